import TributaryJSON
import TributaryPlatform

/// What a text looks like.
public enum TextShape: String, Sendable, CaseIterable, Codable {
    /// Nothing special.
    case plain
    /// Nothing, or blanks only.
    case blank
    /// A whole number without leading zeros, in quotes.
    case integer
    /// Digits with leading zeros, as of a postal code or an article number.
    case leadingZeros
    /// A number with a point or an exponent, in quotes.
    case number
    /// A day, as in `2026-03-12`.
    case date
    /// A moment, as in `2026-03-12T15:47:03Z`.
    case dateTime
    /// `123e4567-e89b-12d3-a456-426614174000`
    case uuid
    /// At least 16 hexadecimal digits, an even number of them.
    case hexadecimal
    /// `https://…`
    case url
    /// `name@example.org`
    case email
    /// `192.168.0.1`
    case ipAddress
    /// `true`, `false`, `yes` or `no`.
    case boolean

    /// The shape of text, and of a date its seconds since 1970.
    @inline(__always)
    init(_ bytes: UnsafeBufferPointer<UInt8>, _ seconds: inout Double?) {
        guard let first = bytes.first, bytes.count <= 2048 else {
            self = bytes.isEmpty ? .blank : .plain
            return
        }
        // Most text begins with a letter and is neither an address nor hexadecimal.
        if first.isDecimal || first == UInt8(ascii: "-") {
            self = TextShape.numeric(bytes, &seconds)
        } else {
            self = TextShape.other(bytes, first)
        }
    }

    private static func numeric(_ bytes: UnsafeBufferPointer<UInt8>, _ seconds: inout Double?) -> TextShape {
        let count = bytes.count
        if (10...40).contains(count), bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let date = TributaryJSON.RawValue.date(bytes)
        {
            seconds = date
            return count == 10 ? .date : .dateTime
        }
        if isUUID(bytes) { return .uuid }
        let isNegative = bytes[0] == UInt8(ascii: "-")
        let digits = isNegative ? bytes.dropFirst() : bytes[...]
        if !digits.isEmpty, digits.allSatisfy(\.isDecimal) {
            return digits.count > 1 && digits.first == UInt8(ascii: "0") ? .leadingZeros : .integer
        }
        if isAddress(bytes) { return .ipAddress }
        if isHexadecimal(bytes) { return .hexadecimal }
        if count <= 40, bytes.allSatisfy({ $0.isDecimal || isInNumber($0) }),
            NumberLiteral(String(decoding: bytes, as: UTF8.self)) != nil
        {
            return .number
        }
        return isEmail(bytes) ? .email : .plain
    }

    private static func other(_ bytes: UnsafeBufferPointer<UInt8>, _ first: UInt8) -> TextShape {
        let count = bytes.count
        if first == UInt8(ascii: "h"), isURL(bytes) { return .url }
        if first == UInt8(ascii: " "), bytes.allSatisfy({ $0 == UInt8(ascii: " ") }) { return .blank }
        if (first | 0x20) <= UInt8(ascii: "f"), first >= UInt8(ascii: "A") {
            if isUUID(bytes) { return .uuid }
            if isHexadecimal(bytes) { return .hexadecimal }
        }
        if count <= 5, isBoolean(bytes) { return .boolean }
        return isEmail(bytes) ? .email : .plain
    }

    private static func isInNumber(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
            || byte | 0x20 == UInt8(ascii: "e")
    }

    private static func isBoolean(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let word = bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1 | 0x20) }
        return switch word {
        case 0x6E6F, 0x79_6573, 0x7472_7565, 0x66_616C_7365: true
        default: false
        }
    }

    private static func isUUID(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count == 36 else { return false }
        let hyphen = UInt8(ascii: "-")
        guard bytes[8] == hyphen, bytes[13] == hyphen, bytes[18] == hyphen, bytes[23] == hyphen else { return false }
        var digits = 0
        for byte in bytes where byte.isHexadecimal { digits += 1 }
        return digits == 32
    }

    private static func isHexadecimal(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        (16...128).contains(bytes.count) && bytes.count % 2 == 0 && bytes.allSatisfy(\.isHexadecimal)
    }

    private static func isURL(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.starts(with: "http://".utf8) || bytes.starts(with: "https://".utf8)
    }

    private static func isEmail(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard (6...254).contains(bytes.count), let start = bytes.baseAddress,
            let found = memchr(start, Int32(UInt8(ascii: "@")), bytes.count)
        else { return false }
        let at = UnsafeRawPointer(found) - UnsafeRawPointer(start)
        guard at > 0 else { return false }
        let host = bytes[(at + 1)...]
        guard let dot = host.lastIndex(of: UInt8(ascii: ".")), dot > at + 1, dot < bytes.count - 2 else { return false }
        return !bytes.contains { $0 <= UInt8(ascii: " ") || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") }
            && !host.contains(UInt8(ascii: "@"))
    }

    private static func isAddress(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard (7...15).contains(bytes.count) else { return false }
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                (1...3).contains(part.count) && part.allSatisfy(\.isDecimal)
                    && (part.count == 1 || part.first != UInt8(ascii: "0"))
                    && part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } < 256
            }
    }
}

// Those of another module would be called for each byte.
extension UInt8 {
    @inline(__always)
    fileprivate var isDecimal: Bool { self &- UInt8(ascii: "0") < 10 }

    @inline(__always)
    fileprivate var isHexadecimal: Bool { isDecimal || (self | 0x20) &- UInt8(ascii: "a") < 6 }
}
