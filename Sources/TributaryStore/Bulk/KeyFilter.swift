import CTributaryThread

/// The keys seen so far, in a fixed amount of memory: no false negatives, rare false positives.
///
/// A Bloom filter in blocks of one cache line, so that a key costs one access to memory.
package final class KeyFilter: @unchecked Sendable {
    private let blocks: UnsafeMutablePointer<UInt64>
    private let mask: UInt64
    private static let wordsInBlock = 8
    /// How many keys ahead to call `prefetch`.
    package static let distance = 12

    /// The size of the filter in bytes.
    var byteCount: Int { (Int(mask) + 1) * KeyFilter.wordsInBlock * 8 }

    /// Whether `count` keys are so many that more than one new key in a hundred would count as seen.
    func isFull(with count: Int) -> Bool { count >= byteCount * 8 / 10 }

    /// Forgets all keys.
    func removeAll() { blocks.update(repeating: 0, count: (Int(mask) + 1) * KeyFilter.wordsInBlock) }

    /// A filter of at most `byteCount` bytes.
    package init(byteCount: Int) {
        let wanted = max(1, byteCount / (8 * KeyFilter.wordsInBlock))
        let count = 1 << (Int.bitWidth - 1 - wanted.leadingZeroBitCount)
        mask = UInt64(count - 1)
        let words = count * KeyFilter.wordsInBlock
        blocks = .allocate(capacity: words)
        blocks.initialize(repeating: 0, count: words)
    }

    deinit { blocks.deallocate() }

    @inline(__always)
    private func block(of hash: UInt64) -> UnsafeMutablePointer<UInt64> {
        blocks + Int(truncatingIfNeeded: (hash >> 32 & mask)) * KeyFilter.wordsInBlock
    }

    /// Loads the block of a key into the cache of the processor.
    @inline(__always)
    package func prefetch(_ hash: UInt64) { tributary_prefetch(block(of: hash)) }

    /// Whether a key may have been inserted.
    package func contains(_ hash: UInt64) -> Bool {
        let block = block(of: hash)
        var bits = hash &* 0x9FB2_1C65_1E98_DF25
        bits ^= bits >> 29
        for index in 0..<KeyFilter.wordsInBlock {
            if block[index] & 1 << (bits & 63) == 0 { return false }
            bits >>= 6
        }
        return true
    }

    /// Inserts a key by its hash; true if it may have been inserted before.
    @inline(__always)
    package func insert(_ hash: UInt64) -> Bool {
        let block = block(of: hash)
        // One bit in each of the eight words, by six bits of a mixed hash each.
        var bits = hash &* 0x9FB2_1C65_1E98_DF25
        bits ^= bits >> 29
        var isKnown = true
        for index in 0..<KeyFilter.wordsInBlock {
            let bit: UInt64 = 1 << (bits & 63)
            if block[index] & bit == 0 {
                isKnown = false
                block[index] |= bit
            }
            bits >>= 6
        }
        return isKnown
    }
}
