/// A set of keys of rows, as one bit a key, in blocks of consecutive keys.
///
/// Block `n` has the keys from `n * 32_768`: bit `key % 32_768` of its 4,096 bytes, the low bit of a byte first. A block
/// without a key does not exist.
package struct KeyBitmap: Sendable, Equatable {
    /// The number of keys of a block.
    package static let keysInBlock = 32_768
    /// The number of bytes of a block.
    package static let bytesInBlock = keysInBlock / 8

    private var blocks: [Int64: [UInt8]] = [:]

    /// No keys.
    package init() {}

    /// The keys of a sequence, which are not negative.
    package init(_ keys: [Int64]) { formUnion(keys) }

    /// Whether there are no keys.
    package var isEmpty: Bool { blocks.isEmpty }

    /// The number of keys.
    package var count: Int { blocks.values.reduce(0) { $0 + $1.bitCount } }

    /// The numbers of the blocks, in ascending order.
    package var blockNumbers: [Int64] { blocks.keys.sorted() }

    /// The keys, in ascending order.
    package var keys: [Int64] { blockNumbers.flatMap(keys(ofBlock:)) }

    /// The keys of a block, in ascending order.
    package func keys(ofBlock number: Int64) -> [Int64] {
        var keys: [Int64] = []
        let first = number * Int64(Self.keysInBlock)
        for (index, byte) in (blocks[number] ?? []).enumerated() where byte != 0 {
            for bit in 0..<8 where byte & UInt8(1 << bit) != 0 { keys.append(first + Int64(index * 8 + bit)) }
        }
        return keys
    }

    /// The bytes of a block; nil if it has no key.
    package subscript(block number: Int64) -> [UInt8]? { blocks[number] }

    /// Adds a key, which is not negative; false if it was present.
    @discardableResult
    package mutating func insert(_ key: Int64) -> Bool {
        let (number, index, bit) = Self.place(of: key)
        let byte = blocks[number, default: Self.emptyBlock][index]
        if byte & bit != 0 { return false }
        blocks[number, default: Self.emptyBlock][index] = byte | bit
        return true
    }

    /// Adds keys, which are not negative; it is quickest if they ascend.
    package mutating func formUnion(_ keys: [Int64]) {
        var (current, block) = (Int64.min, [UInt8]())
        for key in keys {
            let (number, index, bit) = Self.place(of: key)
            if number != current {
                if current != .min { blocks[current] = block }
                // Without the entry, the bytes have one owner and are not copied.
                (current, block) = (number, blocks.removeValue(forKey: number) ?? Self.emptyBlock)
            }
            block[index] |= bit
        }
        if current != .min { blocks[current] = block }
    }

    /// Whether a key is present.
    package func contains(_ key: Int64) -> Bool {
        guard key >= 0 else { return false }
        let (number, index, bit) = Self.place(of: key)
        return blocks[number].map { $0[index] & bit != 0 } ?? false
    }

    /// Adds all keys of the bytes of a block, of which there are 4,096.
    package mutating func formUnion(block number: Int64, _ bytes: [UInt8]) {
        precondition(bytes.count == Self.bytesInBlock, "a block of keys has \(Self.bytesInBlock) bytes")
        guard let known = blocks[number] else {
            if bytes.contains(where: { $0 != 0 }) { blocks[number] = bytes }
            return
        }
        blocks[number] = zip(known, bytes).map { $0 | $1 }
    }

    /// Removes all keys of the bytes of a block.
    package mutating func subtract(block number: Int64, _ bytes: [UInt8]) {
        guard let known = blocks[number] else { return }
        let rest = zip(known, bytes).map { $0 & ~$1 }
        blocks[number] = rest.contains { $0 != 0 } ? rest : nil
    }

    /// Adds all keys of another bitmap.
    package mutating func formUnion(_ other: KeyBitmap) {
        for (number, bytes) in other.blocks { formUnion(block: number, bytes) }
    }

    private static let emptyBlock = [UInt8](repeating: 0, count: bytesInBlock)

    private static func place(of key: Int64) -> (number: Int64, index: Int, bit: UInt8) {
        precondition(key >= 0, "a bitmap has no negative keys")
        let index = Int(key % Int64(keysInBlock))
        return (key / Int64(keysInBlock), index >> 3, 1 << (index & 7))
    }
}
