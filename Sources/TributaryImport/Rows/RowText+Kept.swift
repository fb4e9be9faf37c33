import TributaryJSON

extension RowText {
    /// Whether an import keeps an array or object, which is valid and without white space, byte for byte.
    ///
    /// It changes escapes that JSON does not require, and refuses sizes beyond its limits. A text that it would change is
    /// written as a string, which it keeps. Near a limit that is also done without need: levels of the record and of
    /// objects around it are added to those of the text, and the members of all its objects are counted together.
    static func isKept(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let hasEscapes = bytes.contains(UInt8(ascii: "\\"))
        let limits = ReadLimits()
        let levels = limits.depth - 64
        // A short text is within all limits.
        if !hasEscapes, bytes.count <= levels { return true }
        var (depth, members, offset) = (0, 0, 0)
        while offset < bytes.count {
            let start = offset
            offset += 1
            switch bytes[start] {
            case UInt8(ascii: "\""):
                guard let end = endOfString(bytes, from: offset) else { return false }
                offset = end
                let isKey = offset < bytes.count && bytes[offset] == UInt8(ascii: ":")
                if offset - start - 2 > (isKey ? limits.key : limits.string) { return false }
                if isKey { members += 1 }
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                while offset < bytes.count, isPartOfNumber(bytes[offset]) { offset += 1 }
                if offset - start > limits.number { return false }
            default: break
            }
            if depth > levels || members > limits.keys { return false }
        }
        return true
    }

    /// The offset after a string whose contents begin at an offset; nil if it has an escape that an import changes.
    private static func endOfString(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var offset = start
        while offset + 1 < bytes.count, bytes[offset] != UInt8(ascii: "\"") {
            guard bytes[offset] == UInt8(ascii: "\\") else {
                offset += 1
                continue
            }
            switch bytes[offset + 1] {
            case UInt8(ascii: "/"): return nil
            case UInt8(ascii: "u"):
                guard offset + 5 < bytes.count, isRequired(bytes[offset + 2..<offset + 6]) else { return nil }
                offset += 6
            default: offset += 2
            }
        }
        return offset + 1
    }

    /// Whether four hex digits are those of a control character without a shorter escape, as an import writes them.
    private static func isRequired(_ digits: Slice<UnsafeRawBufferPointer>) -> Bool {
        let text = String(decoding: digits, as: UTF8.self)
        guard let code = UInt8(text.dropFirst(2), radix: 16), code < 0x20, text.hasPrefix("00") else { return false }
        return ![8, 9, 10, 12, 13].contains(code) && text == text.lowercased()
    }

    private static func isPartOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }
}
