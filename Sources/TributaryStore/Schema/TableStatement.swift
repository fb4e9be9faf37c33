import Foundation
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
        func definition(_ storage: ColumnLayout.Storage) -> String {
            SQLIdentifier(column).quoted + (storage == .any ? "" : " \(storage.rawValue)")
        }
        for known in [ColumnLayout.Storage.integer, .real, .text, .any]
        where replace(definition: definition(known), with: definition(storage)) {
            return true
        }
        return false
    }

    /// Replaces the definition of a column; false if the statement has no definition with exactly this text.
    mutating func replace(definition: String, with new: String) -> Bool {
        // Names that are equal for `String` may be those of two columns.
        let found = definitions.first {
            $0.1.trimmingCharacters(in: .whitespacesAndNewlines).utf8.elementsEqual(definition.utf8)
        }
        guard let found else { return false }
        sql.replaceSubrange(found.0, with: " \(new)")
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
