package import TributaryConcurrency

/// A retry of rejected records, whichever their database is: a ``RetryOperation``, or one of PostgreSQL.
///
/// The journal has the entity, the key and the mode of a rejected record. Its reject is deleted in the transaction that
/// imports it, so a retry can be repeated without importing a record twice. A record that is rejected again keeps its
/// row, with the new reason.
open class DatabaseRetry: BackgroundOperation, @unchecked Sendable {
    // Mutable state is protected by the lock of `state`.

    package struct State {
        /// The import of some of the records, which is in progress.
        package var current: DatabaseImport?
        package var summary = RetrySummary()
    }

    package let source: RejectSource
    package let options: RetryOptions
    package let state = Guarded(State())

    /// A retry of the rejects of `source`.
    package init(of source: RejectSource, options: RetryOptions) {
        (self.source, self.options) = (source, options)
        super.init()
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
    ///   otherwise the errors of an import.
    @discardableResult
    open func perform() throws -> RetrySummary { fatalError("\(type(of: self)) does not override perform()") }
}

extension RetrySummary {
    package mutating func add(_ other: ImportSummary) {
        read += other.read
        counts += other.counts
        seconds += other.seconds
    }
}
