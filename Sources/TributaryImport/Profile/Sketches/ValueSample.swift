/// Some of the values at a path, chosen by numbers that depend on their places alone.
///
/// Every value has the same chance, and two samples merge into the one of all values, whichever thread saw which.
public struct ValueSample: Sendable, Hashable, Codable {
    /// A value.
    public struct Item: Sendable, Hashable, Codable {
        /// The number that decides whether it is kept: the lowest are.
        let priority: UInt64
        let hash: UInt64
        /// The beginning of the text, or of the number as it is written.
        public let value: ValueText
    }

    /// The values.
    ///
    /// They have no order before `cut`, and that of their priorities after it.
    public private(set) var items: [Item] = []
    private(set) var threshold = UInt64.max

    /// Whether a value of this priority is not kept.
    @inline(__always)
    func ignores(_ priority: UInt64) -> Bool { priority >= threshold }

    /// Adds a value that is not ignored.
    mutating func add(_ item: Item, limit: Int) {
        items.append(item)
        if items.count >= 2 * limit { cut(to: limit) }
    }

    /// Keeps at most `limit` values, in the order of their priorities.
    mutating func cut(to limit: Int) {
        items.sort { ($0.priority, $0.hash) < ($1.priority, $1.hash) }
        guard items.count > limit else { return }
        threshold = items[limit].priority
        items.removeSubrange(limit...)
    }

    /// Adds the values of another sample.
    mutating func merge(_ other: ValueSample, limit: Int) {
        threshold = min(threshold, other.threshold)
        items = (items + other.items).filter { $0.priority < threshold }
        cut(to: limit)
    }
}
