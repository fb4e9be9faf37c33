/// Keys of records that are on their way: looked up already, and what is said of them not committed yet.
///
/// An open table of hashes, each with the number of the chunk that it came with; what has landed is swept out when room is
/// needed. Two keys of one hash are taken for one, which is slower and not wrong: half of a hash is enough, since a few
/// hundred thousand keys are here at a time.
///
/// `@unchecked Sendable`: the chunk that takes off has it alone.
final class KeysInFlight: @unchecked Sendable {
    private struct Slot {
        var hash: UInt32
        /// 0 if nothing stands here.
        var chunk: UInt32
    }

    @exclusivity(unchecked) private var slots: UnsafeMutableBufferPointer<Slot>
    @exclusivity(unchecked) private var count = 0

    init() {
        slots = .allocate(capacity: 1 << 10)
        slots.initialize(repeating: Slot(hash: 0, chunk: 0))
    }

    deinit { slots.deallocate() }

    /// Notes a key of a chunk, whose number is above 0; gives back the chunk with which it is on its way already, or 0.
    @inline(__always)
    func insert(_ hash: UInt64, of chunk: Int, landed: Int) -> Int {
        if (count + 1) * 8 > slots.count * 7 { sweep(landed) }
        let hash = UInt32(truncatingIfNeeded: hash >> 32)
        let place = find(hash)
        let earlier = Int(slots[place].chunk)
        if earlier == 0 { count += 1 }
        slots[place] = Slot(hash: hash, chunk: UInt32(truncatingIfNeeded: chunk))
        return earlier > landed ? earlier : 0
    }

    @inline(__always)
    private func find(_ hash: UInt32) -> Int {
        var place = Int(hash) & (slots.count - 1)
        while slots[place].chunk != 0, slots[place].hash != hash { place = (place + 1) & (slots.count - 1) }
        return place
    }

    private func sweep(_ landed: Int) {
        let living = slots.filter { Int($0.chunk) > landed }
        if living.count * 3 > slots.count * 2 {
            let capacity = slots.count * 2
            slots.deallocate()
            slots = .allocate(capacity: capacity)
        }
        slots.initialize(repeating: Slot(hash: 0, chunk: 0))
        for slot in living { slots[find(slot.hash)] = slot }
        count = living.count
    }
}
