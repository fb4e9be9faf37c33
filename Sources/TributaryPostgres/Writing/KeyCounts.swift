/// How often each key of a group occurs, by hashes that are spread evenly.
///
/// `@unchecked Sendable`: one thread fills it, in the turn of its group, and then it is only read.
final class KeyCounts: @unchecked Sendable {
    /// Pairs of a hash and a count; a count of 0 is a free place.
    private var slots: [(hash: UInt64, count: Int32)]
    private var used = 0

    /// No keys.
    init() { slots = Array(repeating: (0, 0), count: 1 << 10) }

    /// Counts a key; returns how often it has occurred before.
    @inline(__always)
    func add(_ hash: UInt64) -> Int32 {
        if used * 2 >= slots.count { grow() }
        let place = place(of: hash)
        let count = slots[place].count
        if count == 0 { used += 1 }
        slots[place] = (hash, count + 1)
        return count
    }

    /// Whether a key has occurred.
    @inline(__always)
    func contains(_ hash: UInt64) -> Bool { slots[place(of: hash)].count > 0 }

    /// The place of a key, or the free one where it belongs.
    @inline(__always)
    private func place(of hash: UInt64) -> Int {
        let mask = slots.count - 1
        var place = Int(truncatingIfNeeded: hash) & mask
        while slots[place].count > 0, slots[place].hash != hash { place = (place + 1) & mask }
        return place
    }

    private func grow() {
        let earlier = slots
        slots = Array(repeating: (0, 0), count: earlier.count * 4)
        for slot in earlier where slot.count > 0 { slots[place(of: slot.hash)] = slot }
    }
}
