import Foundation

/// Where threads wait for one another, so that what follows happens at the same time; it can be passed again and again.
final class StartLine: @unchecked Sendable {
    // Everything that changes is behind `condition`.
    private let condition = NSCondition()
    private let count: Int
    private var waiting = 0
    private var round = 0

    /// A line for `count` threads.
    init(_ count: Int) { self.count = count }

    /// Waits for the others.
    func pass() {
        condition.withLock {
            let mine = round
            waiting += 1
            if waiting == count {
                waiting = 0
                round += 1
                condition.broadcast()
            }
            while mine == round { condition.wait() }
        }
    }

    /// Runs `body` on threads of their own, with their numbers, and waits for all; all start together.
    static func run(_ count: Int, _ body: @escaping @Sendable (Int, StartLine) -> Void) async {
        let line = StartLine(count)
        await withCheckedContinuation { continuation in
            let group = DispatchGroup()
            for number in 0..<count {
                group.enter()
                Thread {
                    line.pass()
                    body(number, line)
                    group.leave()
                }
                .start()
            }
            group.notify(queue: .global()) { continuation.resume() }
        }
    }
}
