import Foundation
import TributaryConcurrency
public import TributaryGraph
import TributaryJSON

/// Imports rejected records again: from the store, or from a file of rejects that was edited.
///
///     let retry = RetryOperation(manager, from: .file(FileSource("bad.ndjson")))
///     try await retry.run()
///     print(retry.summary.imported, retry.summary.left)
///
/// The journal has the entity, the key and the mode of a rejected record. Its reject is deleted in the transaction that
/// imports it, so a retry can be repeated without importing a record twice. A record that is rejected again keeps its
/// row, with the new reason. Routes with a setter must be given again; entities without one are imported as rows.
open class RetryOperation: WorkOperation, @unchecked Sendable {
    // Mutable state is protected by the lock of `state`.

    private struct State {
        var current: StreamImport?
        var summary = RetrySummary()
    }

    private let source: RejectSource
    private let routes: [ImportRoute]
    private let options: RetryOptions
    private let state = Guarded(State())

    /// A retry of the rejects of `source`; `routes` are those of the import that have setters.
    public init(
        _ manager: ContextManager, from source: RejectSource = .store, routes: [ImportRoute] = [],
        options: RetryOptions = RetryOptions()
    ) {
        (self.source, self.routes, self.options) = (source, routes, options)
        super.init(manager)
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
    open override func cancel() {
        super.cancel()
        state.withLock { $0.current }?.cancel()
    }

    /// Runs the retry on the thread of the queue.
    open override func work() throws { try perform() }

    /// Runs the retry on the calling thread.
    ///
    /// - Throws: `ImportError` if the journal lacks the entity or key of the records, before anything is imported;
    ///   otherwise the errors of `StreamImport.perform()`.
    @discardableResult
    public func perform() throws -> RetrySummary {
        let store = manager.importStore
        let entries = try store.read { try Journal.entries(on: $0) }
        let rejects = try TemporaryRejectsFile(source, entries, KeptRejects(store))
        state.withLock { $0.summary = rejects.summary }
        let plans = try rejects.groups.map { try RetryPlan($0, entries, manager.model, routes, options) }
        let feeds = plans.map { plan in
            let (name, pending) = (plan.group.file ?? source.name(in: store.name), PendingRejects())
            let lines = RetryLines(name: name, rejects: rejects, group: plan.group, pendingRejects: pending)
            return StreamImport(
                into: manager, from: [lines], routes: [plan.route], options: plan.options, retrying: pending)
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

extension RetrySummary {
    fileprivate mutating func add(_ other: ImportSummary) {
        read += other.read
        counts += other.counts
        seconds += other.seconds
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
