import Foundation
import TributaryConcurrency
import TributaryStore

/// A retry of the rejects of a store, whatever is made of their records above.
open class StoreRetry: DatabaseRetry, @unchecked Sendable {
    private let routes: [ImportRoute]
    /// Returns the objects as their stores and classes are now.
    private let objects: @Sendable () -> any ImportObjects

    /// A retry of the rejects of `source`; `routes` are those of the import that have setters.
    package init(
        of source: RejectSource, routes: [ImportRoute], options: RetryOptions,
        objects: @escaping @Sendable () -> any ImportObjects
    ) {
        (self.routes, self.objects) = (routes, objects)
        super.init(of: source, options: options)
    }

    /// A retry of rejects whose records become rows of `database`.
    package convenience init(into database: RowDatabase, from source: RejectSource, options: RetryOptions) {
        self.init(of: source, routes: [], options: options) { NoObjects(stores: database) }
    }

    /// Runs the retry on the calling thread.
    ///
    /// - Throws: `ImportError` if the journal lacks the entity or key of the records, before anything is imported;
    ///   otherwise the errors of an import.
    @discardableResult
    public final override func perform() throws -> RetrySummary {
        let stores = objects().stores
        let store = stores.stores[0]
        let rejects = try store.read { try TemporaryRejectsFile(source, in: $0, named: store.name) }
        state.withLock { $0.summary = rejects.summary }
        let feeds = try rejects.plans(stores.model, routes, options).map { plan in
            let pending = PendingRejects()
            return StoreImport(
                from: [rejects.lines(of: plan.group, pending)], routes: [plan.route], options: plan.options,
                retrying: pending, objects: objects)
        }
        // If one of them cannot be imported, none is.
        for feed in feeds { try feed.check() }
        for feed in feeds {
            state.withLock { $0.current = feed }
            if isCancelled { feed.cancel() }
            let result = Result { try feed.perform() }
            state.withLock { state in
                state.current = nil
                state.summary.add(feed.summary)
                if case .success(.stopped) = result { state.summary.isStopped = true }
            }
            if case .stopped = try result.get() { break }
        }
        return summary
    }
}
