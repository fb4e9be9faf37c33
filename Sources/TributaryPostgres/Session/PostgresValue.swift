/// A value of a statement, which the server receives apart from the text.
///
/// The statement gives its type where the server cannot infer one, such as `$1::bigint`.
package enum PostgresValue: Sendable, Hashable {
    /// The absence of a value.
    case null
    /// A text, or the text form of any other type.
    case text(String)
    /// A whole number.
    case integer(Int64)
    /// A Boolean.
    case boolean(Bool)
    /// Bytes, for `bytea`.
    case bytes([UInt8])

    /// The form that libpq sends, with a zero byte at the end of a text; nil is null.
    func wireBytes() throws -> [UInt8]? {
        switch self {
        case .null: nil
        case .text(let text): try Array(cText(text, "a value").utf8CString.map(UInt8.init(bitPattern:)))
        case .integer(let number): Array("\(number)".utf8) + [0]
        case .boolean(let isTrue): [UInt8(ascii: isTrue ? "t" : "f"), 0]
        case .bytes(let bytes): bytes
        }
    }

    /// An array of texts, for a type of arrays in the statement.
    static func array(_ texts: some Sequence<String?>) -> PostgresValue {
        var list = "{"
        for text in texts {
            if list.utf8.count > 1 { list += "," }
            guard let text else {
                list += "NULL"
                continue
            }
            list += "\""
            for scalar in text.unicodeScalars {
                if scalar == "\"" || scalar == "\\" { list += "\\" }
                list.unicodeScalars.append(scalar)
            }
            list += "\""
        }
        return .text(list + "}")
    }

    /// An array of numbers, for `bigint[]`.
    static func array(_ numbers: some Sequence<some BinaryInteger>) -> PostgresValue {
        .text("{\(numbers.map { "\($0)" }.joined(separator: ","))}")
    }
}

/// Checks that C does not cut `text` at a zero byte.
func cText(_ text: String, _ noun: String) throws -> String {
    guard !text.utf8.contains(0) else {
        throw PostgresError(
            .data, "\(noun) contains U+0000, which PostgreSQL cannot hold in a text", hint: "remove the character")
    }
    return text
}
