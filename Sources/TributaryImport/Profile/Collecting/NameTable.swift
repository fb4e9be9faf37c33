/// The members of objects by the hashes of their names.
struct NameTable {
    private var slots = [Int32](repeating: -1, count: 16)
    private var hashes: [UInt64] = []
    private var indexes: [Int] = []

    /// The index of a name that has a hash and that `isIt` confirms; nil if there is none.
    @inline(__always)
    func find(_ hash: UInt64, _ isIt: (Int) -> Bool) -> Int? {
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] >= 0 {
            let entry = Int(slots[slot])
            if hashes[entry] == hash, isIt(indexes[entry]) { return indexes[entry] }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// Adds a name that is not there.
    mutating func add(_ hash: UInt64, _ index: Int) {
        hashes.append(hash)
        indexes.append(index)
        if hashes.count * 2 > slots.count {
            slots = [Int32](repeating: -1, count: slots.count * 2)
            for entry in hashes.indices { place(entry) }
        } else {
            place(hashes.count - 1)
        }
    }

    private mutating func place(_ entry: Int) {
        var slot = Int(truncatingIfNeeded: hashes[entry]) & (slots.count - 1)
        while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = Int32(truncatingIfNeeded: entry)
    }
}
