import TributaryImport
import TributaryJSON
import TributaryStore

/// The database whose tables `inspect` reads in place of dumps.
struct InspectedDatabase {
    private let path: String
    /// The table that is named.
    private let table: String?

    /// The database among the operands; nil if there is none.
    init?(_ command: InspectCommand) throws(UsageError) {
        let operands = command.operands
        guard let database = operands.first(where: StoredDatabase.beginsAsDatabase) else { return nil }
        guard database == operands[0], operands.count <= 2 else { throw InspectedDatabase.mixed(database) }
        guard command.options.paths == nil else {
            throw UsageError("'--at' is for dumps; name a table: tributary inspect DB TABLE", command: "inspect")
        }
        if let option = command.readingWords.first {
            throw UsageError("'\(option)' is for dumps, not for a database", command: "inspect")
        }
        path = database
        table = operands.count == 2 ? operands[1] : nil
    }

    /// The rows of the table that is named, or of all tables.
    func rows() throws -> TableSource {
        let tables = try ReadableTable.read(path) { names in
            if let table {
                // A file beside the database is a dump, unless it has the name of a table.
                if InspectedDatabase.find(table, in: names) == nil, FileKind(table) != nil {
                    throw InspectedDatabase.mixed(path)
                }
                return [try InspectedDatabase.table(table, in: names, of: path)]
            }
            guard !names.tables.isEmpty else {
                throw CommandError("\(Excerpt.escape(path)): the database has no tables")
            }
            return names.tables
        }
        guard let tables else { throw StoredDatabase.absent(path) }
        return TableSource(path, tables)
    }

    /// The name of a table or view as the database has it.
    ///
    /// - Throws: An error with the nearest name, if there is none.
    static func table(_ wanted: String, in names: ReadableTable.Names, of path: String) throws -> String {
        if let found = find(wanted, in: names) { return found }
        let all = names.tables + names.views
        let hint = Suggestion.hint(for: wanted, among: all)
        let list = hint.isEmpty && !all.isEmpty ? "; it has \(all.map { Excerpt.escape($0) }.shortList)" : hint
        throw CommandError("\(Excerpt.escape(path)): there is no table '\(Excerpt.escape(wanted))'\(list)")
    }

    private static func find(_ wanted: String, in names: ReadableTable.Names) -> String? {
        let all = names.tables + names.views
        return all.first { $0.utf8.elementsEqual(wanted.utf8) } ?? all.first { $0 == wanted }
            ?? all.first { $0.lowercased() == wanted.lowercased() }
    }

    private static func mixed(_ database: String) -> UsageError {
        UsageError(
            "'\(database)' is a database, which is read alone: tributary inspect DB [TABLE]", command: "inspect")
    }
}
