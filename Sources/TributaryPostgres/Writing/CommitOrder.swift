import TributaryConcurrency

/// Which groups are committed: they commit in feed order, so that a position in the feed says what is done.
final class CommitOrder: Sendable {
    private struct State {
        var committed = 0
        var hasFailed = false
    }

    private let state = Monitor(State())

    /// The number of the last committed group.
    var committed: Int { state.read(\.committed) }

    /// Waits until a group and all earlier ones are committed; false if one has failed, so that nothing may follow.
    func waitForCommit(of number: Int) -> Bool {
        state.wait { state in
            if state.committed >= number { return true }
            return state.hasFailed ? false : nil
        }
    }

    /// A group is committed, as the next one in feed order.
    func markCommitted(_ number: Int) { state.update { $0.committed = max($0.committed, number) } }

    /// No further group will be committed.
    func fail() { state.update { $0.hasFailed = true } }
}
