import Foundation
import TributaryConcurrency

/// Imports rejected records again: from their database, or from a file of rejects that was edited.
///
///     let retry = Retry(manager, from: .file(FileSource("bad.ndjson")))
///     try await retry.run()
///     print(retry.summary.imported, retry.summary.left)
///
/// The journal has the entity, the key and the mode of a rejected record. Its reject is deleted in the transaction that
/// imports it, so a retry can be repeated without importing a record twice. A record that is rejected again keeps its
/// row, with the new reason.
public final class Retry: BackgroundOperation, @unchecked Sendable {
    // Mutable state is protected by the lock of `state`.

    /// The database of a retry, as it is when the retry begins.
    package struct Target {
        let database: any ImportDatabase
        let model: Model?
        let makeImport: (RetryPlan) throws -> DatabaseImport

        /// A database with a model, or without one; `makeImport` throws what refuses the import of a group.
        package init(
            _ database: any ImportDatabase, _ model: Model?, makeImport: @escaping (RetryPlan) throws -> DatabaseImport
        ) {
            (self.database, self.model, self.makeImport) = (database, model, makeImport)
        }
    }

    private struct State {
        /// The import of some of the records, which is in progress.
        var current: DatabaseImport?
        var summary = RetrySummary()
    }

    private let source: RejectSource
    private let routes: [ImportRoute]
    private let options: RetryOptions
    private let target: @Sendable () throws -> Target
    private let state = Guarded(State())

    /// A retry of the rejects of `source`; `routes` are those with setters.
    package init(
        of source: RejectSource, routes: [ImportRoute] = [], options: RetryOptions,
        in target: @escaping @Sendable () throws -> Target
    ) {
        (self.source, self.routes, self.options, self.target) = (source, routes, options, target)
        super.init()
    }

    /// A retry in a store; `objects` returns the objects as their stores and classes are now.
    package convenience init(
        of source: RejectSource, routes: [ImportRoute] = [], options: RetryOptions,
        objects: @escaping @Sendable () -> any ImportObjects
    ) {
        self.init(of: source, routes: routes, options: options) {
            let stores = objects().stores
            return Target(StoreImports(store: stores.stores[0], stores: stores), stores.model) { plan in
                let part = StoreImport(
                    from: [plan.lines], routes: [plan.route], options: plan.options, objects: objects)
                try part.check()
                return part
            }
        }
    }

    /// A retry of rejects whose records become rows of `database`.
    package convenience init(into database: RowDatabase, from source: RejectSource, options: RetryOptions) {
        self.init(of: source, options: options) { NoObjects(stores: database) }
    }

    /// The results so far.
    public var summary: RetrySummary {
        state.withLock { state in
            var summary = state.summary
            if let current = state.current?.summary { summary.add(current) }
            return summary
        }
    }

    /// Stops after the current chunk; committed records stay.
    public override func cancel() {
        super.cancel()
        state.withLock { $0.current }?.cancel()
    }

    /// Runs the retry on the thread of the queue.
    public override func work() throws { try perform() }

    /// Runs the retry on the calling thread.
    ///
    /// - Throws: `ImportError` if the journal lacks the entity or key of the records, before anything is imported;
    ///   otherwise the errors of an import.
    @discardableResult
    public func perform() throws -> RetrySummary {
        let target = try target()
        let files = try target.database.reading { try RetryFiles(source, in: $0, named: target.database.name) }
        state.withLock { $0.summary = files.summary }
        // If one of the groups cannot be imported, none is.
        let imports = try files.plans(target.model, routes, options).map(target.makeImport)
        for part in imports {
            state.withLock { $0.current = part }
            if isCancelled { part.cancel() }
            let result = Result { try part.perform() }
            state.withLock { state in
                state.current = nil
                state.summary.add(part.summary)
                if case .success(.stopped) = result { state.summary.isStopped = true }
            }
            if case .stopped = try result.get() { break }
        }
        return summary
    }
}

extension RetrySummary {
    fileprivate mutating func add(_ other: ImportSummary) {
        read += other.read
        counts += other.counts
        seconds += other.seconds
    }
}
