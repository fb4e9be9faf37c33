import Tributary
import TributaryStore
import TributaryJSON
import TributarySQLite

/// The sample of a dry run as text and as JSON.
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

    private static func text(_ value: SQLValue) -> String {
        switch value {
        case .null: return "null"
        case .integer(let number): return "\(number)"
        case .real(let number): return "\(number)"
        case .blob(let bytes): return "\(bytes.count) bytes"
        case .text(let text):
            let shown = text.count > longest ? text.prefix(longest) + "…" : text[...]
            return "\"\(Excerpt.escape(String(shown)))\""
        }
    }

    /// A JSON array with an object for each change.
    static func json(_ changes: [RowChange], run: Int) -> [UInt8] {
        var bytes = Array("[".utf8)
        for (index, change) in changes.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += change.jsonLine(run: run).dropLast()
        }
        return bytes + Array("]".utf8)
    }
}
