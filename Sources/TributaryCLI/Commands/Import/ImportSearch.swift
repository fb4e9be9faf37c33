import TributaryImport
import TributaryJSON
import TributarySQLite
import TributaryStore

/// The full-text indexes that an import makes: the columns as they were named, of the table of the records or of another
/// one.
///
///     --search title,authors.name
struct ImportSearch: Sendable {
    /// The names of the columns, which may begin with a table.
    let names: [String]
    /// The table of the records; nil if there are several.
    let table: String?

    /// Throws what is known to be wrong before a record is read, while the database is neither made nor changed.
    func check(_ target: ImportTarget, into path: String, addsColumns: Bool) throws {
        try SearchIndex.checkModule()
        for name in names {
            guard let fault = SearchIndex.fault(in: name, of: table ?? "") else { continue }
            throw CommandError("column '\(Excerpt.escape(name))' cannot be in a full-text index: \(fault)")
        }
        if table == nil, let name = names.first(where: { !$0.contains(".") }) {
            throw CommandError(
                "name the table of '\(Excerpt.escape(name))' too, as in --search users.\(Excerpt.escape(name)): there are several"
            )
        }
        var known: [String: [String]] = [:]
        if let model = target.model {
            known = try columns(in: SearchableTables(model))
        } else if let table {
            let foreign = target.isForeign ? try ForeignTable.read(table, in: path) : nil
            known = [foreign?.name ?? table: []]
            if let foreign, !addsColumns { known = try columns(in: SearchableTables(foreign)) }
        }
        _ = try SearchIndex.reading(path) { connection in
            for (table, columns) in known { try SearchIndex.check(table, columns, on: connection) }
        }
    }

    /// Makes the indexes that are missing, each in one transaction; returns what was made as sentences.
    func make(in database: RowDatabase, _ isForeign: Bool, until isStopped: @escaping () -> Bool) throws -> [String] {
        guard !database.store.isUnpublished else {
            throw CommandError("another import into the database is not finished")
        }
        return try database.store.write { connection in
            connection.interrupt(when: isStopped)
            defer { connection.interrupt(when: nil) }
            let tables = try SearchableTables(of: isForeign ? table : nil, on: connection)
            return try columns(in: tables).sorted { $0.key < $1.key }.compactMap { table, columns in
                let change = try SearchIndex.make(of: table, columns, on: connection)
                return change.map { Self.sentence($0, database.store.name) }
            }
        }
    }

    private static func sentence(_ change: SearchIndex.Change, _ database: String) -> String {
        let (index, table) = (Excerpt.escape(change.index.name), change.index.table)
        let query = CommandText.line("query", [database, table], ["--match", "WORD"])
        let list = list(change.index.columns)
        guard let earlier = change.earlier else {
            return "made the full-text index \(index) of \(list); to use it: \(query)"
        }
        return earlier == change.index.columns
            ? "made the full-text index \(index) of \(list) again, because its triggers were missing"
            : "made the full-text index \(index) again, of \(list) instead of \(self.list(earlier))"
    }

    private static func list(_ names: [String]) -> String { names.map { Excerpt.escape($0) }.joined(separator: ", ") }

    // MARK: Names

    /// The columns of each table that the names stand for.
    private func columns(in tables: SearchableTables) throws -> [String: [String]] {
        var found: [String: [String]] = [:]
        for name in names {
            guard let (table, column) = tables.column(name, of: table) else { throw unknown(name, in: tables) }
            if let fault = SearchIndex.fault(in: column, of: table) {
                throw CommandError(
                    "\(Excerpt.escape(table)).\(Excerpt.escape(column)) cannot be in a full-text index: \(fault)")
            }
            if found[table]?.contains(column) ?? false { continue }
            found[table, default: []].append(column)
        }
        return found
    }

    private func unknown(_ name: String, in tables: SearchableTables) -> CommandError {
        let names = tables.names(of: table)
        let hint = Suggestion.hint(for: name, among: names)
        let list = hint.isEmpty && !names.isEmpty ? "; there are \(names.map { Excerpt.escape($0) }.shortList)" : hint
        return CommandError("there is no column '\(Excerpt.escape(name))' for a full-text index\(list)")
    }
}
