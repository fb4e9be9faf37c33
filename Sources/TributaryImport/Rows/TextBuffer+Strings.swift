import TributaryJSON

/// Strings of JSON.
extension TextBuffer {
    /// Appends text in quotes; invalid UTF-8 is repaired.
    mutating func append(string bytes: UnsafeRawBufferPointer) {
        let before = count
        append(UInt8(ascii: "\""))
        let isASCII = append(escaping: bytes)
        append(UInt8(ascii: "\""))
        guard isASCII || UTF8Check.isValid(bytes) else {
            removeAll(after: before)
            return append(JSONLineWriter.quoted(String(decoding: bytes, as: UTF8.self)))
        }
    }

    /// Appends text with the escapes that JSON requires; false if it is not ASCII.
    private mutating func append(escaping bytes: UnsafeRawBufferPointer) -> Bool {
        guard let source = bytes.baseAddress else { return true }
        var (offset, isASCII) = (0, true)
        while offset < bytes.count {
            // Eight bytes are copied at once, and those from an escape on are written again.
            let room = bytes.count - offset + 8
            let target = UnsafeMutableRawPointer(end(withRoomFor: room))
            let first = offset
            var found = false
            while offset + 8 <= bytes.count {
                let word = source.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
                target.storeBytes(of: word.littleEndian, toByteOffset: offset - first, as: UInt64.self)
                if word & 0x8080_8080_8080_8080 != 0 { isASCII = false }
                let marks = TextBuffer.escapes(in: word)
                if marks != 0 {
                    offset += marks.trailingZeroBitCount / 8
                    found = true
                    break
                }
                offset += 8
            }
            while !found, offset < bytes.count {
                let byte = bytes[offset]
                if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
                if byte >= 0x80 { isASCII = false }
                target.storeBytes(of: byte, toByteOffset: offset - first, as: UInt8.self)
                offset += 1
            }
            advance(by: offset - first)
            guard offset < bytes.count else { break }
            append(escape: bytes[offset])
            offset += 1
        }
        return isASCII
    }

    /// The highest bits of bytes that JSON escapes; those after the first one may be wrong.
    @inline(__always)
    private static func escapes(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = word ^ (ones &* 0x22)
        let backslashes = word ^ (ones &* 0x5C)
        return ((word &- ones &* 0x20) | (quotes &- ones) | (backslashes &- ones)) & ~word & (ones &* 0x80)
    }

    private mutating func append(escape byte: UInt8) {
        append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
        case UInt8(ascii: "\n"): append(UInt8(ascii: "n"))
        case UInt8(ascii: "\r"): append(UInt8(ascii: "r"))
        case UInt8(ascii: "\t"): append(UInt8(ascii: "t"))
        default: append("u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))")
        }
    }
}
