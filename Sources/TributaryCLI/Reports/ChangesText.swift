import TributaryImport
import TributarySQLite

/// Changed rows and their values as text.
enum ChangesText {
    /// The longest text of a value, in characters.
    private static let longest = 40

    /// A line for each change.
    static func lines(_ changes: [RowChange]) -> String {
        changes.map { change in
            let key = change.key.filter { $0.column != "_pk" || change.key.count == 1 }
                .map { "\(Excerpt.escape($0.column)) \(text($0.value))" }.joined(separator: ", ")
            let row = "\(Excerpt.escape(change.table)) \(key)"
            switch change.kind {
            case .inserted: return "would insert \(row)\n"
            case .deleted: return "would delete \(row)\n"
            case .updated:
                let fields = zip(change.old, change.new).map {
                    "\(Excerpt.escape($0.column)) \(text($0.value)) → \(text($1.value))"
                }
                return "would change \(row): \(fields.joined(separator: "; "))\n"
            }
        }
        .joined()
    }

    /// A value as text; `shown` makes one of a text.
    static func text(_ value: SQLValue, _ shown: (String) -> String = quoted) -> String {
        switch value {
        case .null: "null"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .blob(let bytes): "\(bytes.count) bytes"
        case .text(let text): shown(text)
        }
    }

    /// The start of a text in quotes.
    private static func quoted(_ text: String) -> String {
        "\"\(Excerpt.escape(text.count > longest ? text.prefix(longest) + "…" : text))\""
    }
}
