extension ValueProfile {
    /// A value that is common at a path.
    public struct Common: Sendable, Hashable, Encodable {
        /// The value.
        public let value: ValueText
        /// Its share of all texts and numbers.
        public let share: Double
        /// Whether the share is that of all values, and not of a sample.
        public let isExact: Bool
    }

    /// The most common values, the most common one first, at most `count`.
    ///
    /// Of few different values all are counted. Of many, shares are those in the sample, and only values of which the
    /// sample has at least eight are common.
    public func common(_ count: Int) -> [Common] {
        let total = different.counts.reduce(0, +)
        var found: [UInt64: ValueText] = [:]
        for item in sample.items { found[item.hash] = item.value }
        if different.isExact {
            found.merge(members ?? [:]) { one, _ in one }
            return ValueProfile.sorted(
                found.compactMap { hash, value in
                    different.count(of: hash).map {
                        Common(value: value, share: Double($0) / Double(max(1, total)), isExact: true)
                    }
                }, count)
        }
        let counts = sample.items.reduce(into: [UInt64: Int]()) { $0[$1.hash, default: 0] += 1 }
        return ValueProfile.sorted(
            counts.compactMap { hash, times in
                guard times >= 8, let value = found[hash] else { return nil }
                return Common(value: value, share: Double(times) / Double(sample.items.count), isExact: false)
            }, count)
    }

    private static func sorted(_ values: [Common], _ count: Int) -> [Common] {
        Array(values.sorted { $0.share != $1.share ? $0.share > $1.share : $0.value < $1.value }.prefix(count))
    }
}
