/// Counts the values with the lowest hashes while they come.
///
/// It is a table with open addressing, which is cut to the limit when it has half as many values again.
package struct HashTable: ~Copyable {
    private var slots: UnsafeMutablePointer<(hash: UInt64, count: Int)>
    private var mask = 15
    private(set) var count = 0
    /// Values with hashes from here on are not kept.
    private var threshold = UInt64.max
    private var isCut = false

    package init() { slots = HashTable.empty(16) }

    deinit { slots.deallocate() }

    private static func empty(_ capacity: Int) -> UnsafeMutablePointer<(hash: UInt64, count: Int)> {
        let slots = UnsafeMutablePointer<(hash: UInt64, count: Int)>.allocate(capacity: capacity)
        slots.initialize(repeating: (0, 0), count: capacity)
        return slots
    }

    /// Whether a value of this hash is not kept.
    @inline(__always)
    package func ignores(_ hash: UInt64) -> Bool { hash >= threshold }

    /// Counts a value that is not ignored; true if it is new.
    @inline(__always)
    package mutating func add(_ hash: UInt64, limit: Int) -> Bool {
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot].hash != 0 {
            if slots[slot].hash == hash {
                slots[slot].count += 1
                return false
            }
            slot = (slot + 1) & mask
        }
        slots[slot] = (hash, 1)
        count += 1
        if count * 4 > mask * 3 { makeRoom(limit) }
        return true
    }

    private mutating func makeRoom(_ limit: Int) {
        if count >= limit + limit / 2 { return cut(to: limit) }
        rebuild((mask + 1) * 2, HashTable.take(slots, mask + 1))
    }

    /// Keeps at most `limit` values.
    mutating func cut(to limit: Int) {
        guard count > limit else { return }
        var kept = HashTable.take(slots, mask + 1)
        kept.sort { $0.hash < $1.hash }
        threshold = kept[limit].hash
        isCut = true
        rebuild(HashTable.capacity(limit + limit / 2), Array(kept.prefix(limit)))
    }

    /// The places for a number of values, three quarters of which are used at most.
    private static func capacity(_ count: Int) -> Int {
        var capacity = 16
        while capacity * 3 < count * 4 { capacity *= 2 }
        return capacity
    }

    private static func take(
        _ slots: UnsafeMutablePointer<(hash: UInt64, count: Int)>, _ capacity: Int
    ) -> [(hash: UInt64, count: Int)] {
        (0..<capacity).compactMap { slots[$0].hash == 0 ? nil : slots[$0] }
    }

    private mutating func rebuild(_ capacity: Int, _ values: [(hash: UInt64, count: Int)]) {
        slots.deallocate()
        slots = HashTable.empty(capacity)
        mask = capacity - 1
        count = values.count
        for value in values {
            var slot = Int(truncatingIfNeeded: value.hash) & mask
            while slots[slot].hash != 0 { slot = (slot + 1) & mask }
            slots[slot] = value
        }
    }

    /// The values, at most `limit`.
    package func values(limit: Int) -> LowestHashes {
        let sorted = HashTable.take(slots, mask + 1).sorted { $0.hash < $1.hash }
        var values = LowestHashes()
        (values.hashes, values.counts) = (sorted.map(\.hash), sorted.map(\.count))
        values.threshold = isCut ? threshold : nil
        values.cut(to: limit)
        return values
    }

    /// A table with these values.
    init(_ values: LowestHashes) {
        self.init()
        threshold = values.threshold ?? .max
        isCut = values.threshold != nil
        rebuild(
            HashTable.capacity(values.hashes.count + 4),
            zip(values.hashes, values.counts).map { (hash: $0, count: $1) })
    }
}
