/// Tells whether bytes are valid UTF-8, without making a string of them.
package enum UTF8Check {
    /// Whether bytes are valid UTF-8.
    package static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var offset = 0
        while offset < bytes.count {
            // Most text is ASCII.
            while offset + 8 <= bytes.count,
                bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            { offset += 8 }
            guard offset < bytes.count else { return true }
            if bytes[offset] < 0x80 {
                offset += 1
                continue
            }
            guard let length = sequenceLength(bytes, at: offset) else { return false }
            offset += length
        }
        return true
    }

    /// The number of bytes of the scalar that begins at an offset; nil if it is not the shortest form of a valid one.
    @inline(__always)
    private static func sequenceLength(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int? {
        var (length, low, high): (Int, UInt8, UInt8) = (3, 0x80, 0xBF)
        switch bytes[offset] {
        case 0xC2...0xDF: length = 2
        case 0xE0: low = 0xA0
        case 0xED: high = 0x9F
        case 0xE1...0xEF: break
        case 0xF0: (length, low) = (4, 0x90)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, high) = (4, 0x8F)
        default: return nil
        }
        guard offset + length <= bytes.count, bytes[offset + 1] >= low, bytes[offset + 1] <= high else { return nil }
        if length > 2, bytes[offset + 2] & 0xC0 != 0x80 { return nil }
        if length > 3, bytes[offset + 3] & 0xC0 != 0x80 { return nil }
        return length
    }
}
