import TributaryConcurrency

/// Which chunks have been prepared, for a chunk that must wait for all earlier ones.
final class ChunkOrder: Sendable {
    private struct State {
        /// All chunks before this number have been prepared.
        var next = 1
        /// Later chunks that have been prepared.
        var ahead: Set<Int> = []
    }

    private let state = Monitor(State())

    /// Waits until all chunks before `number` have ended.
    func waitForEarlier(than number: Int) { state.wait { $0.next >= number ? () : nil } }

    /// The chunk has been prepared, or dropped.
    func end(_ number: Int) {
        state.update { state in
            state.ahead.insert(number)
            while state.ahead.remove(state.next) != nil { state.next += 1 }
        }
    }
}
