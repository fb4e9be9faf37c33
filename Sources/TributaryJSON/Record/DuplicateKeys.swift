/// Counts duplicate keys within one object.
///
/// The table with open addressing holds the keys of one object at a time. Each slot has the stamp of its object, so the
/// table need not be cleared between objects. The hash has a random seed for each process, so that no input can force
/// collisions.
///
/// `@unchecked Sendable`: the table belongs to this value alone, and a lock holds the value.
struct DuplicateKeys: ~Copyable, @unchecked Sendable {
    private struct Slot {
        var stamp: UInt32 = 0
        /// The index of the key's word on the tape.
        var key: UInt32 = 0
    }

    private var slots: UnsafeMutablePointer<Slot>
    private var mask: Int
    private var stamp: UInt32 = 0
    private let seed: (UInt64, UInt64) = DuplicateKeys.processSeed
    private static let processSeed = (UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max))

    init() {
        mask = 1023
        slots = .allocate(capacity: mask + 1)
        slots.initialize(repeating: Slot(), count: mask + 1)
    }

    deinit { slots.deallocate() }

    /// The number of duplicate keys in the record at the words from `start` to `end`.
    mutating func count(
        in tape: UnsafeMutablePointer<TapeWord>, from start: Int, to end: Int, arena: UnsafeMutablePointer<UInt8>
    ) -> Int {
        var count = 0
        var index = start
        while index < end {
            // An object with two members takes at least six words.
            if tape[index].kind == .object, tape[index].length >= 6 {
                count += countObject(at: index, in: tape, arena: arena)
            }
            index += 1
        }
        return count
    }

    @inline(__always)
    private mutating func countObject(
        at start: Int, in tape: UnsafeMutablePointer<TapeWord>, arena: UnsafeMutablePointer<UInt8>
    ) -> Int {
        // At most every second word is a key, so the table is at most half full.
        if tape[start].length > mask { grow(for: start, in: tape) }
        stamp &+= 1
        if stamp == 0 {
            slots.update(repeating: Slot(), count: mask + 1)
            stamp = 1
        }
        var count = 0
        var index = start + 1
        while tape[index].kind != .end {
            if !insert(index, in: tape, arena: arena) { count += 1 }
            index += 1 + tape[index + 1].span
        }
        return count
    }

    /// Adds the key at `index`; false if it repeats an earlier one.
    @inline(__always)
    private mutating func insert(
        _ index: Int, in tape: UnsafeMutablePointer<TapeWord>, arena: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        let word = tape[index]
        if word.kind == .escapedKey { return insertEscaped(index, in: tape, arena: arena) }
        let bytes = UnsafeRawPointer(arena + word.offset)
        var slot = Int(truncatingIfNeeded: hash(bytes, word.length)) & mask
        while slots[slot].stamp == stamp {
            let other = tape[Int(slots[slot].key)]
            if other.kind == .key {
                if other.length == word.length, equal(UnsafeRawPointer(arena + other.offset), bytes, word.length) {
                    return false
                }
            } else if JSONText.equal(other, word, in: arena) {
                return false
            }
            slot = (slot + 1) & mask
        }
        slots[slot] = Slot(stamp: stamp, key: UInt32(truncatingIfNeeded: index))
        return true
    }

    /// Adds a key with escape sequences, which is compared by its decoded text.
    private mutating func insertEscaped(
        _ index: Int, in tape: UnsafeMutablePointer<TapeWord>, arena: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        let word = tape[index]
        let decoded = JSONText.decode(UnsafeBufferPointer(start: arena + word.offset, count: word.length))
        // The hash reads eight bytes at a time.
        let padded = decoded + [0, 0, 0, 0, 0, 0, 0, 0]
        var slot = padded.withUnsafeBytes { bytes in
            bytes.baseAddress.map { Int(truncatingIfNeeded: hash($0, decoded.count)) & mask } ?? 0
        }
        while slots[slot].stamp == stamp {
            if JSONText.equal(tape[Int(slots[slot].key)], word, in: arena) { return false }
            slot = (slot + 1) & mask
        }
        slots[slot] = Slot(stamp: stamp, key: UInt32(truncatingIfNeeded: index))
        return true
    }

    private mutating func grow(for start: Int, in tape: UnsafeMutablePointer<TapeWord>) {
        var keys = 0
        var index = start + 1
        while tape[index].kind != .end {
            keys += 1
            index += 1 + tape[index + 1].span
        }
        guard keys * 2 > mask else { return }
        slots.deallocate()
        mask = (1 << (Int.bitWidth - (keys * 2).leadingZeroBitCount)) - 1
        slots = .allocate(capacity: mask + 1)
        slots.initialize(repeating: Slot(), count: mask + 1)
        stamp = 0
    }

    @inline(__always)
    private func equal(_ one: UnsafeRawPointer, _ two: UnsafeRawPointer, _ count: Int) -> Bool {
        var index = 0
        while count - index >= 8 {
            if one.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                != two.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            {
                return false
            }
            index += 8
        }
        let rest = count - index
        if rest == 0 { return true }
        let difference =
            one.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            ^ two.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        return difference << (64 - 8 * UInt64(rest)) == 0
    }

    /// Multiplies and folds sixteen bytes at a time; arenas are padded, so loads may exceed the key.
    @inline(__always)
    private func hash(_ bytes: UnsafeRawPointer, _ count: Int) -> UInt64 {
        var state = seed.0 ^ UInt64(truncatingIfNeeded: count)
        var index = 0
        while count - index > 16 {
            state = fold(
                bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ seed.1,
                bytes.loadUnaligned(fromByteOffset: index + 8, as: UInt64.self) ^ state)
            index += 16
        }
        return fold(
            tail(bytes + index, min(8, count - index)) ^ seed.1, tail(bytes + index + 8, count - index - 8) ^ state)
    }

    @inline(__always)
    private func tail(_ bytes: UnsafeRawPointer, _ count: Int) -> UInt64 {
        guard count > 0 else { return 0 }
        let word = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
        return word & (~0 >> (64 - 8 * UInt64(truncatingIfNeeded: count)))
    }

    @inline(__always)
    private func fold(_ one: UInt64, _ two: UInt64) -> UInt64 {
        let product = one.multipliedFullWidth(by: two)
        return product.high ^ product.low
    }
}
