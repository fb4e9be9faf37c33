import TributaryConcurrency

/// Counts calls from any thread.
final class Counter: Sendable {
    private let count = Guarded(0)
    private let limit: Int

    init(limit: Int = .max) { self.limit = limit }

    /// How many calls there were.
    var value: Int { count.withLock { $0 } }

    /// Counts a call, and returns whether there were more than the limit.
    func isPast() -> Bool {
        count.withLock { count in
            count += 1
            return count > limit
        }
    }
}
