package import TributaryConcurrency

extension Guarded<Int> {
    /// Counts one more, and returns the count.
    package func next() -> Int {
        withLock { count in
            count += 1
            return count
        }
    }
}
