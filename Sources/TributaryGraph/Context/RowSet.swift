/// A set of numbers of rows: a bit for each, where many lie side by side.
package struct RowSet: Sendable {
    /// Numbers that share all but their lowest bits.
    private var blocks: [Int64: [UInt64]] = [:]
    private static let bits: Int64 = 12
    private static let mask: Int64 = 1 << bits - 1

    package init() {}

    /// Adds numbers.
    package mutating func insert(_ keys: [Int64]) {
        var rest = keys[...]
        while let first = rest.first {
            let number = first >> RowSet.bits
            let run = rest.prefix { $0 >> RowSet.bits == number }
            var block = blocks[number] ?? Array(repeating: 0, count: Int(RowSet.mask + 1) / 64)
            // Nobody else has it while it is changed.
            blocks[number] = nil
            for key in run {
                let (word, bit) = RowSet.place(of: key)
                block[word] |= bit
            }
            blocks[number] = block
            rest = rest[run.endIndex...]
        }
    }

    private static func place(of key: Int64) -> (word: Int, bit: UInt64) {
        let index = Int(key & mask)
        return (index / 64, 1 << UInt64(index % 64))
    }

    /// Calls `body` for all numbers in their order, for about so many at a time.
    package func forEachPart(of size: Int, _ body: ([Int64]) throws -> Void) rethrows {
        var part: [Int64] = []
        for (number, block) in blocks.sorted(by: { $0.key < $1.key }) {
            for (index, word) in block.enumerated() {
                var rest = word
                while rest != 0 {
                    part.append(number << RowSet.bits + Int64(index * 64 + rest.trailingZeroBitCount))
                    rest &= rest - 1
                }
            }
            if part.count >= size {
                try body(part)
                part.removeAll(keepingCapacity: true)
            }
        }
        if !part.isEmpty { try body(part) }
    }
}
