import TributarySQLite

/// A value of SQLite as a part of an address, without loss.
///
///     7    r0.5    'text    x00FF    null
enum ValueText {
    /// The text of a value.
    static func text(of value: SQLValue) -> String {
        switch value {
        case .null: "null"
        case .integer(let number): "\(number)"
        case .real(let number): "r\(number)"
        case .text(let text): "'" + text
        case .blob(let bytes): "x" + hexadecimal(bytes)
        }
    }

    /// The value of a text; nil if it has none of these forms.
    static func value(of text: String) -> SQLValue? {
        // The value may begin with a mark that would belong to the character before it.
        let rest = String(text.unicodeScalars.dropFirst())
        switch text.unicodeScalars.first {
        case "'": return .text(rest)
        case "r": return Double(rest).flatMap { $0.isNaN ? nil : .real($0) }
        case "x":
            guard rest.utf8.count % 2 == 0 else { return nil }
            let digits = rest.compactMap(\.hexDigitValue)
            guard digits.count == rest.utf8.count else { return nil }
            return .blob(stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
        default: return text == "null" ? .null : Int64(text).map { .integer($0) }
        }
    }

    /// Bytes as digits.
    static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        var text = ""
        for byte in bytes { text += (byte < 16 ? "0" : "") + String(byte, radix: 16) }
        return text
    }
}
