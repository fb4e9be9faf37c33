import Foundation

/// A reusable barrier where threads wait for each other, so that they continue at the same time.
final class StartLine: @unchecked Sendable {
    // All mutable state is protected by `condition`.
    private let condition = NSCondition()
    private let count: Int
    private var waiting = 0
    private var round = 0

    init(_ count: Int) { self.count = count }

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

    /// Runs `body` on `count` threads that start together, each with its number, and waits for all of them.
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
