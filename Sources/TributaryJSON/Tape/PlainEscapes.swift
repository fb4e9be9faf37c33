import TributaryPlatform

/// Replaces escapes in JSON text by the characters that they stand for, so that equal values have equal text.
///
///     "caf\u00e9 \/ \u000a" → "café / \n"
enum PlainEscapes {
    /// Whether text contains an escape.
    static func isNeeded(_ text: UnsafeRawBufferPointer) -> Bool {
        text.baseAddress.map { memchr($0, Int32(UInt8(ascii: "\\")), text.count) != nil } ?? false
    }

    /// Replaces the escapes of text, except those that JSON requires, which get their shortest form.
    ///
    /// The text must be valid: its surrogates are paired.
    static func replace(in text: inout [UInt8]) {
        var (read, written) = (0, 0)
        while read < text.count {
            let byte = text[read]
            guard byte == UInt8(ascii: "\\") else {
                text[written] = byte
                (read, written) = (read + 1, written + 1)
                continue
            }
            switch text[read + 1] {
            case UInt8(ascii: "u"):
                for byte in bytes(of: scalar(text, &read)) {
                    text[written] = byte
                    written += 1
                }
            case UInt8(ascii: "/"):
                text[written] = UInt8(ascii: "/")
                (read, written) = (read + 2, written + 1)
            default:
                (text[written], text[written + 1]) = (byte, text[read + 1])
                (read, written) = (read + 2, written + 2)
            }
        }
        text.removeSubrange(written...)
    }

    /// The character of the escape `\\u` at `index`, which is moved after it.
    private static func scalar(_ text: [UInt8], _ index: inout Int) -> Unicode.Scalar {
        var value = unit(text, at: index + 2)
        index += 6
        if (0xD800...0xDBFF).contains(value) {
            value = 0x10000 + (value - 0xD800) << 10 + (unit(text, at: index + 2) - 0xDC00)
            index += 6
        }
        return Unicode.Scalar(value) ?? "\u{FFFD}"
    }

    private static func unit(_ text: [UInt8], at index: Int) -> UInt32 {
        text[index..<index + 4].reduce(0) { $0 << 4 | UInt32($1.hexadecimalValue ?? 0) }
    }

    /// A character as JSON writes it inside of quotes.
    private static func bytes(of scalar: Unicode.Scalar) -> [UInt8] {
        switch scalar {
        case "\u{8}": Array("\\b".utf8)
        case "\u{C}": Array("\\f".utf8)
        case ..<" ", "\"", "\\": String(scalar).jsonEscaped
        default: Array(String(scalar).utf8)
        }
    }
}
