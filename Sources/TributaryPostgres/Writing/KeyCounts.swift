import CTributaryThread

/// How often each key of a group occurs, by hashes that are spread evenly.
///
/// `@unchecked Sendable`: one thread fills it, in the turn of its group, and then it is only read.
final class KeyCounts: @unchecked Sendable {
    private struct Slot {
        var hash: UInt64
        /// 0 in a free place.
        var count: Int32
    }

    // No access to a field overlaps another: the check for each key would cost time.

    @exclusivity(unchecked) private var slots: UnsafeMutablePointer<Slot>
    @exclusivity(unchecked) private var mask: Int
    @exclusivity(unchecked) private var used = 0
    /// How many keys ahead to call `prefetch`.
    static let distance = 12

    /// No keys.
    init() {
        mask = (1 << 10) - 1
        slots = KeyCounts.freePlaces(mask + 1)
    }

    deinit { slots.deallocate() }

    private static func freePlaces(_ count: Int) -> UnsafeMutablePointer<Slot> {
        let slots = UnsafeMutablePointer<Slot>.allocate(capacity: count)
        slots.initialize(repeating: Slot(hash: 0, count: 0), count: count)
        return slots
    }

    /// Counts a key; returns how often it has occurred before.
    @inline(__always)
    func add(_ hash: UInt64) -> Int32 {
        if used * 2 > mask { grow() }
        let slot = slot(of: hash)
        let count = slot.pointee.count
        if count == 0 { used += 1 }
        slot.pointee = Slot(hash: hash, count: count + 1)
        return count
    }

    /// Whether a key has occurred.
    @inline(__always)
    func contains(_ hash: UInt64) -> Bool { slot(of: hash).pointee.count > 0 }

    /// Loads the place of a key into the cache of the processor.
    @inline(__always)
    func prefetch(_ hash: UInt64) { tributary_prefetch(slots + (Int(truncatingIfNeeded: hash) & mask)) }

    /// The place of a key, or the free one where it belongs.
    @inline(__always)
    private func slot(of hash: UInt64) -> UnsafeMutablePointer<Slot> {
        var place = Int(truncatingIfNeeded: hash) & mask
        while slots[place].count > 0, slots[place].hash != hash { place = (place + 1) & mask }
        return slots + place
    }

    private func grow() {
        let (earlier, count) = (slots, mask + 1)
        mask = count * 2 - 1
        slots = KeyCounts.freePlaces(mask + 1)
        for index in 0..<count where earlier[index].count > 0 { slot(of: earlier[index].hash).pointee = earlier[index] }
        earlier.deallocate()
    }
}
