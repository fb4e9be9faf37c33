/// Numbers as SQLite's file format has them: big-endian, or of variable length.
extension UnsafeMutableRawPointer {
    /// Stores the lowest `count` bytes of a number, the highest first.
    @inline(__always)
    func storeBigEndian(_ value: UInt64, bytes count: Int) {
        var rest = value
        for index in stride(from: count - 1, through: 0, by: -1) {
            storeBytes(of: UInt8(truncatingIfNeeded: rest), toByteOffset: index, as: UInt8.self)
            rest >>= 8
        }
    }

    /// Stores a number of variable length; returns its number of bytes, 1 to 9.
    @inline(__always)
    @discardableResult
    func storeVarint(_ value: UInt64) -> Int {
        if value < 0x80 {
            storeBytes(of: UInt8(truncatingIfNeeded: value), as: UInt8.self)
            return 1
        }
        let count = UInt64.varintSize(value)
        var rest = value
        // The last of nine bytes has eight bits, every other one seven.
        if count == 9 {
            storeBytes(of: UInt8(truncatingIfNeeded: rest), toByteOffset: 8, as: UInt8.self)
            rest >>= 8
        }
        for index in stride(from: count == 9 ? 7 : count - 1, through: 0, by: -1) {
            let mark: UInt8 = index == count - 1 ? 0 : 0x80
            storeBytes(of: UInt8(truncatingIfNeeded: rest) & 0x7F | mark, toByteOffset: index, as: UInt8.self)
            rest >>= 7
        }
        return count
    }
}

extension UnsafeRawBufferPointer {
    /// The big-endian number of `count` bytes at an offset.
    func number(at offset: Int, bytes count: Int) -> UInt64 {
        var value: UInt64 = 0
        for index in offset..<offset + count { value = value << 8 | UInt64(self[index]) }
        return value
    }

    /// Removes a number of variable length from the beginning; nil if there is none.
    mutating func removeVarint() -> UInt64? {
        if let first, first < 0x80 {
            self = UnsafeRawBufferPointer(rebasing: self[1...])
            return UInt64(first)
        }
        var value: UInt64 = 0
        for (index, byte) in enumerated() {
            // The last of nine bytes has eight bits, every other one seven.
            value = index == 8 ? value << 8 | UInt64(byte) : value << 7 | UInt64(byte & 0x7F)
            if index == 8 || byte < 0x80 {
                self = UnsafeRawBufferPointer(rebasing: self[(index + 1)...])
                return value
            }
        }
        return nil
    }
}

extension UInt64 {
    /// The number of bytes of a number of variable length.
    @inline(__always)
    static func varintSize(_ value: UInt64) -> Int {
        let bits = 64 - (value | 1).leadingZeroBitCount
        return bits > 56 ? 9 : (bits + 6) / 7
    }
}
