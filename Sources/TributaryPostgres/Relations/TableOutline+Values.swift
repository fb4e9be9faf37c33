package import TributaryStore
import TributaryJSON
import TributaryModel
package import TributarySQLite

/// The values of a column as texts that cross to the server.
///
///     Boolean    1                 "1"                   true
///     Date       1714521600.5      "1714521600500000"    2024-05-01 00:00:00.5+00
///     Binary     blob [1, 2]       "\x0102"              \x0102
extension TableOutline.Meaning {
    /// The type of a column that is made.
    var type: PostgresSQL {
        guard case .attribute(let type) = self else { return "bigint" }
        return PostgresType(type).map { PostgresSQL(catalogue: $0.name) } ?? "bytea"
    }

    private var isDate: Bool { if case .attribute(.date) = self { true } else { false } }
    /// The type that a text is read as.
    var textType: PostgresSQL { isDate ? "bigint" : type }

    /// The expression for the text of a column.
    package func text(of column: PostgresSQL) -> PostgresSQL {
        switch self {
        case .attribute(.date): "(extract(epoch FROM \(column)) * 1000000)::bigint"
        case .attribute(.boolean): "\(column)::integer"
        default: column
        }
    }

    /// The expression for the value of a column of texts.
    func value(of column: PostgresSQL) -> PostgresSQL {
        guard isDate else { return column }
        // In two parts: the product of an interval and a large number would be rounded.
        return """
            (timestamptz 'epoch' + (\(column) / 86400000000) * interval '1 day'
            + (\(column) % 86400000000) * interval '1 microsecond')
            """
    }

    /// The text of a value as a store has it; nil for null.
    func text(of value: SQLValue) -> String? {
        switch value {
        case .null: nil
        case .integer(let number) where isDate: "\(number)000000"
        case .integer(let number): "\(number)"
        case .real(let number) where isDate: "\(Int64((number * 1_000_000).rounded()))"
        case .real(let number): "\(number)"
        case .text(let text): text
        case .blob(let bytes): "\\x" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }

    /// The value that a store has for a text.
    package func value(of text: String?) -> SQLValue {
        guard let text else { return .null }
        guard case .attribute(let type) = self else { return Int64(text).map(SQLValue.integer) ?? .null }
        switch type.kind {
        case .integer16, .integer32, .integer64, .boolean: return Int64(text).map(SQLValue.integer) ?? .null
        case .double: return Double(text).map(SQLValue.real) ?? .null
        case .float: return Float(text).map { .real(Double($0)) } ?? .null
        case .date: return Int64(text).map { .real(Double($0) / 1_000_000) } ?? .null
        case .decimal: return .text(NumberLiteral(text)?.decimal ?? text)
        case .uuid: return .text(text.uppercased())
        case .string, .uri, .json, .undefined: return .text(text)
        case .binary, .transformable, .objectID:
            return .blob(Array(text.utf8).withUnsafeBytes(PostgresResult.bytes) ?? [])
        }
    }
}
