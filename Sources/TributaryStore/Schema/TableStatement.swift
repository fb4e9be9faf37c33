import TributarySQLite

/// The statement that made a table of this library, as SQLite keeps it.
///
///     CREATE TABLE "users" ("_pk" INTEGER PRIMARY KEY, …, "age" INTEGER, "name" TEXT)
struct TableStatement {
    private(set) var sql: String

    /// Reads the statement of a table; nil if there is no such table.
    init?(of table: String, on connection: Connection) throws {
        let value = try connection.value(
            of: "SELECT \"sql\" FROM sqlite_master WHERE \"type\" = 'table' AND \"name\" = \(table)")
        guard case .text(let sql)? = value else { return nil }
        self.sql = sql
    }

    /// Replaces the declared type of a column; false if the definition of the column is not one of this library.
    mutating func setStorage(_ storage: ColumnLayout.Storage, of column: String) -> Bool {
        let name = SQLIdentifier(column).quoted
        let types = [ColumnLayout.Storage.integer, .real, .text, .any]
        let wanted = storage == .any ? name : "\(name) \(storage.rawValue)"
        for (range, definition) in definitions {
            let known = definition.trimmed.utf8
            guard types.contains(where: { known.elementsEqual(($0 == .any ? name : "\(name) \($0.rawValue)").utf8) })
            else { continue }
            sql.replaceSubrange(range, with: " \(wanted)")
            return true
        }
        return false
    }

    /// Replaces the definition of a column; false if the statement has no definition with exactly this text.
    mutating func replace(definition: String, with new: String) -> Bool {
        guard let range = definitions.first(where: { $0.1.trimmed == definition[...] })?.0 else { return false }
        sql.replaceSubrange(range, with: " \(new)")
        return true
    }

    /// The definitions of columns after the first one, and where they are: what is between commas outside of quotes.
    private var definitions: [(Range<String.Index>, Substring)] {
        let bytes = sql.utf8
        var quote: UInt8?
        var depth = 0
        var start: String.Index?
        var found: [(Range<String.Index>, Substring)] = []
        for index in bytes.indices {
            let byte = bytes[index]
            if let open = quote {
                if byte == open { quote = nil }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"): quote = byte
            case UInt8(ascii: "["): quote = UInt8(ascii: "]")
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ","), UInt8(ascii: ")"):
                if depth == 1 {
                    if let start { found.append((start..<index, sql[start..<index])) }
                    start = bytes.index(after: index)
                }
                if byte == UInt8(ascii: ")") { depth -= 1 }
            default: break
            }
        }
        return found
    }
}

extension Substring {
    /// The text without blanks at its ends.
    fileprivate var trimmed: Substring {
        let rest = drop { $0.isWhitespace }
        guard let last = rest.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return rest[...last]
    }
}
