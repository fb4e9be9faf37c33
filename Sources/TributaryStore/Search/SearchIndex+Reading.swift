package import TributarySQLite

extension SearchIndex {
    /// The full-text indexes of a database that keep no copy of the values; `isOwn` leaves out those of other programs.
    static func all(isOwn: Bool = false, on connection: Connection) throws -> [SearchIndex] {
        try connection.rows(
            of: """
                SELECT "name", "sql" FROM sqlite_master WHERE "type" = 'table' AND "rootpage" = 0
                AND "sql" LIKE '%USING%fts5%' ORDER BY rowid
                """
        ) { ($0.text(at: 0), $0.text(at: 1)) }.compactMap { name, sql in
            guard let statement = VirtualTableStatement(of: sql), statement.module == "fts5",
                let table = statement.options["content"], !table.isEmpty
            else { return nil }
            let index = SearchIndex(
                name: name, table: table, columns: statement.columns,
                rowKey: statement.options["content_rowid"] ?? "rowid")
            return isOwn && (name != SearchIndex.name(of: table) || index.creation.text != sql) ? nil : index
        }
    }

    /// The index that finds the rows of a table by their numbers, preferably that of this library with its
    /// triggers; nil if there is none.
    package static func find(of table: String, on connection: Connection) throws -> SearchIndex? {
        let indexes = try all(on: connection).filter { $0.table.lowercasedASCII == table.lowercasedASCII }
        guard !indexes.isEmpty, let key = try rowKey(of: table, on: connection) else { return nil }
        let keys = try [key.lowercasedASCII] + rowAliases(of: table, on: connection)
        let usable = indexes.filter { keys.contains($0.rowKey.lowercasedASCII) }
        // Without its triggers an index has not the words of all rows.
        let own = try all(isOwn: true, on: connection)
        let current = try usable.filter { try !own.contains($0) || $0.hasTriggers(on: connection) }
        return current.first { $0.name == name(of: table) } ?? current.first
    }

    /// Whether the statement of a virtual table makes an index that has no values of its own.
    static func isIndex(_ sql: String) -> Bool {
        guard let statement = VirtualTableStatement(of: sql) else { return false }
        return statement.module.hasPrefix("fts") && statement.options["content"] != nil
    }
}
