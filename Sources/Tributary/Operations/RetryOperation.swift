import Foundation
import TributaryConcurrency
public import TributaryGraph
public import TributaryImport
import TributaryJSON

/// Imports rejected records again: from the store, or from a file of rejects that was edited.
///
///     let retry = RetryOperation(manager, from: .file(FileSource("bad.ndjson")))
///     try await retry.run()
///     print(retry.summary.imported, retry.summary.left)
///
/// Routes with a setter must be given again; entities without one are imported as rows.
open class RetryOperation: DatabaseRetry, @unchecked Sendable {
    /// The manager of the stores.
    public let manager: ContextManager
    private let routes: [ImportRoute]

    /// A retry of the rejects of `source`; `routes` are those of the import that have setters.
    public init(
        _ manager: ContextManager, from source: RejectSource = .store, routes: [ImportRoute] = [],
        options: RetryOptions = RetryOptions()
    ) {
        (self.manager, self.routes) = (manager, routes)
        super.init(of: source, options: options)
    }

    /// Runs the retry on the calling thread.
    ///
    /// - Throws: `ImportError` if the journal lacks the entity or key of the records, before anything is imported;
    ///   otherwise the errors of `StreamImport.perform()`.
    @discardableResult
    public final override func perform() throws -> RetrySummary {
        let store = manager.importStore
        let rejects = try store.read { try TemporaryRejectsFile(source, in: $0, named: store.name) }
        state.withLock { $0.summary = rejects.summary }
        let feeds = try rejects.plans(manager.model, routes, options).map { plan in
            let pending = PendingRejects()
            return StreamImport(
                into: manager, from: [rejects.lines(of: plan.group, pending)], routes: [plan.route],
                options: plan.options, retrying: pending)
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

extension ContextManager {
    /// Imports rejected records again; see ``RetryOperation``.
    ///
    /// - Throws: The errors of `RetryOperation.perform()`.
    @discardableResult
    public func retry(
        _ source: RejectSource = .store, routes: [ImportRoute] = [], options: RetryOptions = RetryOptions()
    ) throws -> RetrySummary {
        try RetryOperation(self, from: source, routes: routes, options: options).perform()
    }
}
