import TributaryConcurrency

/// Admits chunks to be looked up and compared at the same time, ahead of the thread that writes.
///
///     threads      admit ▶ look up ▶ compare            chunks 7, 8, 9: uncommitted
///     writer       write 4, 5, 6 ▶ commit ▶ mark        from now on their keys can be looked up
///
/// The result of a lookup is valid until the chunk is written: no other thread of this process may write meanwhile, and
/// a record whose key is in an uncommitted chunk is deferred to the thread that writes. Before another thread writes,
/// the gate is closed and the admitted chunks are written.
final class LookaheadGate: Sendable {
    private struct State {
        /// The number of the last admitted chunk; chunks are numbered from 1.
        var admitted = 0
        /// The number of the chunk being admitted, or of the last admitted one.
        var admitting = 0
        /// The number of the last committed chunk.
        var committed = 0
        var isOpen = false
        var isCancelled = false
    }

    private let monitor = Monitor(State())

    /// Admits a chunk once the gate is open and all earlier chunks are admitted.
    ///
    /// `body` records the keys of the chunk, and gets the number of the last committed chunk.
    ///
    /// - Throws: `CancellationError` if the import ends, errors of `body`.
    func admit<Result>(_ chunk: Int, _ body: (_ committed: Int) throws -> Result) throws -> Result {
        let committed = monitor.wait { state -> Int?? in
            if state.isCancelled { return .some(nil) }
            guard state.admitted == chunk - 1, state.admitting == state.admitted, state.isOpen else { return nil }
            state.admitting = chunk
            return .some(state.committed)
        }
        guard let committed else { throw CancellationError() }
        defer { monitor.update { $0.admitted = chunk } }
        return try body(committed)
    }

    /// Lets chunks be admitted; the calling thread holds the connection that writes.
    func open() { monitor.update { $0.isOpen = true } }

    /// Admits no further chunk; returns the number of the last admitted one.
    func close() -> Int {
        monitor.update { state in
            state.isOpen = false
            return state.admitting
        }
    }

    /// Marks all chunks through `chunk` as committed.
    func markCommitted(through chunk: Int) { monitor.update { $0.committed = chunk } }

    /// Ends all waiting.
    func cancel() { monitor.update { $0.isCancelled = true } }
}
