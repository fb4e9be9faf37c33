import TributaryConcurrency
package import TributarySQLite

/// Copies the log of a store into it on a thread of its own, while an import goes on writing.
///
///     writer    group 1 │ group 2 │ group 3 │ …            appends to the log
///     thread            └ copies 1 └ copies 2 └ …          through a connection of its own
///
/// A log begins anew only when all of it has been copied and nobody is writing. That moment never comes by itself, so whoever
/// writes copies the rest himself as soon as the log is too long.
package final class LogCopier: Sendable {
    private struct State {
        var isWanted = false
        var isAtWork = false
        var isOver = false
        var isGone = false
    }

    /// How many pages the log may have.
    package static let limit = 64_000

    private let state = Monitor(State())
    private let limit: Int

    /// Starts a thread that copies through `connection`, which nobody else uses.
    ///
    /// - Throws: `WorkerThread.Failure`.
    package init(_ connection: sending Connection, limit: Int = LogCopier.limit) throws {
        self.limit = limit
        let handed = Guarded<Connection?>(connection)
        try WorkerThread.start { [state] in
            while LogCopier.waitForWork(state) {
                handed.withLock { $0?.copyLog() }
                state.update { $0.isAtWork = false }
            }
            // The last connection takes the log away.
            handed.withLock { $0 = nil }
            state.update { $0.isGone = true }
        }
    }

    private static func waitForWork(_ state: Monitor<State>) -> Bool {
        state.wait { state in
            if state.isOver { return false }
            guard state.isWanted else { return nil }
            state.isWanted = false
            state.isAtWork = true
            return true
        }
    }

    /// Takes a log of so many pages; false if it is too long, and nobody copies it now.
    package func take(_ pages: Int) -> Bool {
        if pages < limit {
            state.update { $0.isWanted = true }
            return true
        }
        state.wait { $0.isWanted || $0.isAtWork ? nil : () }
        return false
    }

    /// Waits until the thread has let go of its connection.
    package func end() {
        state.update { $0.isOver = true }
        state.wait { $0.isGone ? () : nil }
    }
}
