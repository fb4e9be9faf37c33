import TributaryPlatform

/// Replaces escapes in JSON text by the characters that they stand for, so that equal values have equal text.
///
///     "caf\u00e9 \/ \u000a" → "café / \n"
enum PlainEscapes {
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
                read += 2
                for byte in bytes(of: text.withUnsafeBufferPointer { JSONText.scalar($0, &read) }) {
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
