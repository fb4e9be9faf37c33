import Foundation
package import TributarySQLite

extension SQLCell {
    /// Eight bytes that sort like the values: numbers before text before bytes.
    ///
    /// If the prefixes of two cells differ, the cells have the same order; cells with equal prefixes may differ.
    @inline(__always)
    var sortPrefix: UInt64 {
        switch kind {
        case .absent, .null: 0
        case .integer:
            // Numbers take the lower half; integers that are equal as doubles share a prefix.
            SQLCell.prefix(of: Double(integer))
        case .real: SQLCell.prefix(of: real)
        case .text, .blob: SQLCell.prefix(of: bytes) >> 2 | (kind == .text ? 1 << 63 : 3 << 62)
        }
    }

    private static func prefix(of number: Double) -> UInt64 {
        let bits = (number == 0 ? 0 : number).bitPattern
        let ordered = bits >> 63 == 0 ? bits | 1 << 63 : ~bits
        return ordered >> 1
    }

    static func prefix(of bytes: UnsafeRawBufferPointer) -> UInt64 {
        if bytes.count >= 8 { return UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) }
        var value: UInt64 = 0
        for index in 0..<8 { value = value << 8 | UInt64(index < bytes.count ? bytes[index] : 0) }
        return value
    }

    /// Whether the value sorts before another one in the order of the store; nil if they are equal.
    package func comes(before other: SQLCell) -> Bool? {
        switch (kind, other.kind) {
        case (.integer, .integer): integer == other.integer ? nil : integer < other.integer
        case (.text, .text), (.blob, .blob): SQLCell.order(bytes, other.bytes)
        case (.real, .real): real == other.real ? nil : real < other.real
        case (.integer, .real): SQLCell.order(integer, other.real)
        case (.real, .integer): SQLCell.order(other.integer, real).map { !$0 }
        default: kind == other.kind ? nil : kind.rawValue < other.kind.rawValue
        }
    }

    /// Whether an integer sorts before a real number, exactly; nil if they are equal.
    private static func order(_ left: Int64, _ right: Double) -> Bool? {
        let rounded = Double(left)
        if rounded != right { return rounded < right }
        guard let whole = Int64(exactly: right) else { return true }
        return left == whole ? nil : left < whole
    }

    private static func order(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool? {
        if let one = left.baseAddress, let other = right.baseAddress {
            let order = memcmp(one, other, min(left.count, right.count))
            if order != 0 { return order < 0 }
        }
        return left.count == right.count ? nil : left.count < right.count
    }

    /// A hash of a key; equal keys have equal hashes.
    @inline(__always)
    static func hash(of key: [Int], in cells: UnsafeMutableBufferPointer<SQLCell>) -> UInt64 {
        var hash = start
        for column in key { hash = mix(hash ^ cells[column].plainHash) }
        return hash
    }

    /// A hash that cannot be foreseen without the seed: cells with equal hashes are stored equally.
    ///
    /// No value is taken for null. With `asKeys`, whole numbers of both kinds are equal, as they are in an index.
    @inline(__always)
    static func fingerprint(
        of cells: UnsafeMutableBufferPointer<SQLCell>, at indexes: some Sequence<Int>, seed: Seed, asKeys: Bool
    ) -> UInt64 {
        var hash = seed.start
        for index in indexes {
            let cell = cells[index]
            switch cell.kind {
            case .absent, .null: hash = seed.mix(hash, 1)
            case .integer: hash = seed.mix(seed.mix(hash, 2), UInt64(bitPattern: cell.integer))
            case .real:
                if asKeys, let whole = Int64(exactly: cell.real) {
                    hash = seed.mix(seed.mix(hash, 2), UInt64(bitPattern: whole))
                } else {
                    hash = seed.mix(seed.mix(hash, 3), cell.real.bitPattern)
                }
            case .text, .blob:
                let bytes = cell.bytes
                hash = seed.mix(hash, UInt64(bytes.count) << 3 | (cell.kind == .text ? 4 : 5))
                var place = 0
                while place + 8 <= bytes.count {
                    hash = seed.mix(hash, bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
                    place += 8
                }
                guard place < bytes.count else { continue }
                var rest: UInt64 = 0
                for byte in bytes[place...] { rest = rest << 8 | UInt64(byte) }
                hash = seed.mix(hash, rest)
            }
        }
        return hash
    }

    /// The random numbers of a fingerprint.
    struct Seed {
        let start = UInt64.random(in: .min ... .max)
        private let multiplier = UInt64.random(in: .min ... .max) | 1

        @inline(__always)
        func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
            let product = (hash ^ word).multipliedFullWidth(by: multiplier)
            return product.high ^ product.low &+ start
        }
    }

    private static let start: UInt64 = 0x51_7C_C1_B7_27_22_0A_95

    @inline(__always)
    private var plainHash: UInt64 {
        switch kind {
        case .absent, .null: return 1
        case .integer: return SQLCell.mix(UInt64(bitPattern: integer))
        case .real:
            if let whole = Int64(exactly: real) { return SQLCell.mix(UInt64(bitPattern: whole)) }
            return SQLCell.mix(real.bitPattern)
        case .text, .blob:
            var hash = UInt64(bytes.count) &* 0x9E37_79B9_7F4A_7C15
            var index = 0
            while index + 8 <= bytes.count {
                hash = SQLCell.mix(hash ^ bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                index += 8
            }
            var rest: UInt64 = 0
            while index < bytes.count {
                rest = rest << 8 | UInt64(bytes[index])
                index += 1
            }
            return SQLCell.mix(hash ^ rest)
        }
    }

    @inline(__always)
    private static func mix(_ value: UInt64) -> UInt64 {
        let product = (value ^ 0x2545_F491_4F6C_DD1D).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }
}
