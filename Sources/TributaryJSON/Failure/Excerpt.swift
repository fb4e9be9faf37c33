/// Makes bytes of an input safe to print on a terminal and in a log.
package enum Excerpt {
    /// The bytes around `offset`: at most `before` bytes before it and `after` bytes from it on.
    package static func around(_ offset: Int, in bytes: UnsafeRawBufferPointer, before: Int = 24, after: Int = 16)
        -> String
    {
        let middle = min(max(offset, 0), bytes.count)
        var start = max(0, middle - before)
        var end = min(bytes.count, middle + after)
        // The excerpt must not begin or end within a character.
        while start < middle, start > 0, bytes[start] & 0xC0 == 0x80 { start += 1 }
        while end > middle, end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return escape(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
    }

    /// `bytes` as text, with everything escaped that a terminal would interpret.
    package static func escape(_ bytes: UnsafeRawBufferPointer) -> String {
        var result = ""
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var position = 0
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar):
                append(scalar, to: &result)
                position += UTF8.width(scalar)
            case .error:
                // An invalid byte is not ASCII, so it has two digits.
                result += "\\x" + hexadecimal(UInt32(bytes[position]))
                position += 1
                // The decoder may have consumed more than the invalid byte, so decoding restarts right after that byte.
                decoder = UTF8()
                iterator = UnsafeRawBufferPointer(rebasing: bytes[position...]).makeIterator()
            case .emptyInput:
                return result
            }
        }
    }

    /// `text` with everything escaped that a terminal would interpret.
    package static func escape(_ text: String) -> String {
        var text = text
        return text.withUTF8 { escape(UnsafeRawBufferPointer($0)) }
    }

    private static func append(_ scalar: Unicode.Scalar, to result: inout String) {
        switch scalar {
        case "\n": result += "\\n"
        case "\r": result += "\\r"
        case "\t": result += "\\t"
        case " "..."~": result.unicodeScalars.append(scalar)
        default:
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
                result += "\\u{" + hexadecimal(scalar.value) + "}"
            default:
                result.unicodeScalars.append(scalar)
            }
        }
    }

    private static func hexadecimal(_ value: UInt32) -> String { String(value, radix: 16, uppercase: true) }
}
