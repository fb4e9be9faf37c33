import Foundation

/// Threads that share a number of tasks.
package enum Workers {
    private struct State {
        var next = 0
        var failure: (any Error)?
    }

    /// Calls `body` for each of `count` tasks, on the calling thread and on others, `threads` in all.
    ///
    /// - Throws: The first error of `body`, once all threads have ended; tasks that have not begun then never do.
    package static func run(_ count: Int, threads: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
        let state = Guarded(State())
        let ended = DispatchSemaphore(value: 0)
        @Sendable func work() {
            while true {
                let task = state.withLock { state -> Int? in
                    guard state.next < count, state.failure == nil else { return nil }
                    defer { state.next += 1 }
                    return state.next
                }
                guard let task else { return }
                do {
                    try body(task)
                } catch {
                    state.withLock { state in if state.failure == nil { state.failure = error } }
                }
            }
        }
        var others = 0
        while others < min(threads, count) - 1 {
            do {
                try WorkerThread.start(named: "index") {
                    work()
                    ended.signal()
                }
            } catch {
                // The threads that there are do all tasks.
                break
            }
            others += 1
        }
        work()
        for _ in 0..<others { ended.wait() }
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }
}
