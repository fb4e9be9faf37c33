import TributaryImport
import TributaryJSON
import TributarySQLite
import TributaryStore

/// The indexes that an import makes, of columns of the table of the records or of another one.
///
///     --index email,authors.name,last+first --unique isbn
struct ImportIndexes: Sendable {
    /// The names for indexes and for unique ones, each of one column or of several with plus signs between them.
    let plain, unique: [String]
    /// The table of the records; nil if there are several.
    let table: String?

    /// The indexes that a command line names; nil without.
    init?(_ command: ImportCommand, table: String?) {
        (plain, unique, self.table) = (command.indexes, command.uniqueIndexes, table)
        if plain.isEmpty, unique.isEmpty { return nil }
    }

    /// Throws what is known to be wrong before a record is read, while the database is neither made nor changed.
    func check(_ target: ImportTarget, into path: String, addsColumns: Bool) throws {
        if table == nil, let name = (plain + unique).first(where: { !$0.contains(".") }) {
            let (option, name) = (plain.contains(name) ? "--index" : "--unique", Excerpt.escape(name))
            throw CommandError("name the table of '\(name)' too, as in \(option) users.\(name): there are several")
        }
        guard target.isForeign, !addsColumns, let table, let foreign = try ForeignTable.read(table, in: path) else {
            return
        }
        for name in plain + unique { _ = try columns(name, in: SearchableTables(foreign)) }
    }

    /// Makes the indexes that are missing, each in one transaction; returns what was made as sentences.
    func make(in database: RowDatabase, _ isForeign: Bool, until isStopped: @escaping () -> Bool) throws -> [String] {
        guard !database.store.isUnpublished else {
            throw CommandError("another import into the database is not finished")
        }
        return try database.store.write { connection in
            connection.interrupt(when: isStopped)
            defer { connection.interrupt(when: nil) }
            let tables = try SearchableTables(
                of: isForeign ? table : nil, on: connection)
            // What fails comes last.
            return try (plain.map { ($0, false) } + unique.map { ($0, true) }).compactMap { name, isUnique in
                let (table, columns) = try columns(name, in: tables)
                let index = ColumnIndex(of: table, columns, isUnique: isUnique)
                do {
                    return try index.make(on: connection).map { made in
                        "made the \(isUnique ? "unique " : "")index \(Excerpt.escape(made)) of \(Self.list(index))"
                    }
                } catch let repetition as ColumnIndex.Repetition {
                    throw IndexFailure(Self.sentence(repetition))
                }
            }
        }
    }

    private static func sentence(_ repetition: ColumnIndex.Repetition) -> String {
        let others = repetition.count - 1
        let values = repetition.values.map { Excerpt.escape($0.excerpt) }
        let further = others == 0 ? "" : ", and \(FigureText.counted(Int(others), "other value")) repeat too"
        return "\(list(repetition.index)) is not unique: \(FigureText.grouped(Int(repetition.rows))) rows have "
            + "\(values.joined(separator: ", "))\(further); all rows stay; correct them, then the same command makes "
            + "the unique index, or use --index in place of --unique"
    }

    private static func list(_ index: ColumnIndex) -> String {
        "\(Excerpt.escape(index.table)).\(index.columns.map { Excerpt.escape($0) }.joined(separator: "+"))"
    }

    /// The table and the columns of a name.
    private func columns(_ name: String, in tables: SearchableTables) throws -> (table: String, columns: [String]) {
        // A column may have a plus sign in its name.
        if let (table, column) = tables.column(name, of: table) { return (table, [column]) }
        let parts = name.split(separator: "+", omittingEmptySubsequences: false).map(String.init)
        guard parts.count > 1, let (table, first) = tables.column(parts[0], of: table) else {
            throw unknown(parts[0], in: tables)
        }
        let rest = try parts.dropFirst().map { part in
            guard let (_, column) = tables.column(part, of: table, isAlone: true) else {
                throw unknown(part, in: tables)
            }
            return column
        }
        return (table, [first] + rest)
    }

    private func unknown(_ name: String, in tables: SearchableTables) -> CommandError {
        let names = tables.names(of: table)
        let hint = Suggestion.hint(for: name, among: names)
        let list = hint.isEmpty && !names.isEmpty ? "; there are \(names.map { Excerpt.escape($0) }.shortList)" : hint
        return CommandError("there is no column '\(Excerpt.escape(name))' for an index\(list)")
    }
}
