/// Finds hashes that occur more than once.
enum HashSet {
    /// Moves each different hash of a range to `target` and after it; returns the place after the last one.
    static func removeRepeats(_ hashes: inout [UInt64], _ range: Range<Int>, to target: Int) -> Int {
        var target = target
        let capacity = HashSet.capacity(range.count)
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: capacity) { slots in
            slots.initialize(repeating: 0)
            for index in range where insert(hashes[index], slots) {
                hashes[target] = hashes[index]
                target += 1
            }
        }
        return target
    }

    /// Inserts a hash; false if it is there.
    @inline(__always)
    private static func insert(_ hash: UInt64, _ slots: UnsafeMutableBufferPointer<UInt64>) -> Bool {
        // The highest byte is the same for all, and the lowest bits choose the place.
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] != 0 {
            if slots[slot] == hash { return false }
            slot = (slot + 1) & (slots.count - 1)
        }
        slots[slot] = hash
        return true
    }

    /// The places for a number of hashes, a power of 2 of which at most a half is used.
    private static func capacity(_ count: Int) -> Int {
        1 << (Int.bitWidth - (max(1, count) * 2 - 1).leadingZeroBitCount)
    }

    /// The number of hashes that have occurred before.
    static func repeats(in slices: [ArraySlice<UInt64>]) -> Int {
        let total = slices.reduce(0) { $0 + $1.count }
        guard total > 1 else { return 0 }
        return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: capacity(total)) { slots in
            slots.initialize(repeating: 0)
            var repeats = 0
            for slice in slices {
                for hash in slice where !insert(hash, slots) { repeats += 1 }
            }
            return repeats
        }
    }
}
