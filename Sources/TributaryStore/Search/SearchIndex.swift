import TributarySQLite

/// A full-text index of FTS5 over columns of a table, which keeps no copy of their values.
///
///     "users_fts"   title | name, of the rows of "users", by their "_pk"
///
/// Triggers of the table keep it in step; names and statements are those that Datasette and sqlite-utils know.
package struct SearchIndex: Sendable, Hashable {
    /// The name.
    package let name: String
    /// The table.
    package let table: String
    /// The columns whose words it has.
    package let columns: [String]
    /// The column that has the numbers of rows.
    let rowKey: String

    init(name: String, table: String, columns: [String], rowKey: String) {
        (self.name, self.table, self.columns, self.rowKey) = (name, table, columns, rowKey)
    }

    /// The name of the index that this library makes for a table.
    package static func name(of table: String) -> String { table + "_fts" }

    /// The names that SQLite knows the number of a row by.
    static let rowAliases = ["rowid", "_rowid_", "oid"]

    /// Why FTS5 cannot have a column of a table; nil if it can.
    package static func fault(in column: String, of table: String) -> String? {
        switch column.lowercasedASCII {
        case "rank", "rowid": "FTS5 has a column '\(column)' of its own"
        case name(of: table).lowercasedASCII: "it has the name of the index"
        default: nil
        }
    }

    /// Throws if this SQLite was built without FTS5.
    package static func checkModule() throws {
        do {
            try Connection(.memory).execute("CREATE VIRTUAL TABLE \"probe\" USING fts5(\"text\")")
        } catch let error as SQLiteError {
            throw StoreError(
                .foreign, "SQLite", "it has no FTS5, which a full-text index needs (\(error.message))",
                hint: "use a libsqlite3 with FTS5, or import without the index")
        }
    }

    /// The column that has the numbers of the rows of a table; nil if it has no such numbers.
    static func rowKey(of table: String, on connection: Connection) throws -> String? {
        guard
            try connection.hasRows(
                """
                SELECT 1 FROM pragma_table_list WHERE "schema" = 'main' AND "name" = \(table) COLLATE NOCASE
                AND "type" = 'table' AND NOT "wr"
                """)
        else { return nil }
        let primary = try connection.texts(
            of: """
                SELECT CASE upper("type") WHEN 'INTEGER' THEN "name" ELSE '' END FROM pragma_table_xinfo(\(table), 'main')
                WHERE "pk" > 0
                """)
        // Such a key has an index of its own if it is not the number.
        let isIndexed = try connection.hasRows(
            "SELECT 1 FROM pragma_index_list(\(table), 'main') WHERE \"origin\" = 'pk'")
        if primary.count == 1, primary[0] != "", !isIndexed { return primary[0] }
        return try rowAliases(of: table, on: connection).first
    }

    /// The names for the numbers of rows that no column of a table has.
    static func rowAliases(of table: String, on connection: Connection) throws -> [String] {
        let columns = try connection.texts(of: "SELECT lower(\"name\") FROM pragma_table_xinfo(\(table), 'main')")
        return rowAliases.filter { !columns.contains($0) }
    }

    // MARK: Statements

    private var list: [SQLFragment] { columns.map { "\(identifier: $0)" } }

    /// The statement that makes it.
    var creation: SQLFragment {
        """
        CREATE VIRTUAL TABLE \(identifier: name) USING fts5(\(list), content=\(identifier: table), \
        content_rowid=\(identifier: rowKey))
        """
    }

    /// The names of its triggers, after those of rows that are added, deleted and changed.
    var triggerNames: [String] { ["ai", "ad", "au"].map { "\(table)_\($0)" } }

    /// The statements that make its triggers.
    private var triggers: [SQLFragment] {
        func values(_ row: SQLFragment) -> SQLFragment {
            ([rowKey] + columns).map { name -> SQLFragment in row + ".\(identifier: name)" }.joined()
        }
        let adding: SQLFragment =
            "INSERT INTO \(identifier: name) (rowid, \(list)) VALUES (\(values("new"))); "
        let removing: SQLFragment =
            "INSERT INTO \(identifier: name) (\(identifier: name), rowid, \(list)) VALUES ('delete', \(values("old"))); "
        // Another program may change the number of a row by each of its names. No other column is named: if a trigger has
        // changed the row again, its values are not those of the index.
        let names = (rowKey == "_pk" ? [] : SearchIndex.rowAliases) + [rowKey] + columns
        let changed = names.map { name -> SQLFragment in "\(identifier: name)" }
        let parts: [(SQLFragment, SQLFragment)] = [
            ("INSERT", adding), ("DELETE", removing), ("UPDATE OF \(changed)", removing + adding),
        ]
        return zip(triggerNames, parts).map { trigger, part in
            "CREATE TRIGGER \(identifier: trigger) AFTER \(part.0) ON \(identifier: table) BEGIN \(part.1)END"
        }
    }

    /// Makes the index and its triggers, and reads all rows, in a transaction.
    func create(on connection: Connection) throws {
        try connection.execute(creation)
        for trigger in triggers { try connection.execute(trigger) }
        try rebuild(on: connection)
    }

    /// Reads all rows again, in a transaction.
    func rebuild(on connection: Connection) throws {
        try connection.execute("INSERT INTO \(identifier: name) (\(identifier: name)) VALUES ('rebuild')")
    }

    /// Removes the index and its triggers, in a transaction.
    func drop(on connection: Connection) throws {
        for trigger in triggerNames { try connection.execute("DROP TRIGGER IF EXISTS \(identifier: trigger)") }
        try connection.execute("DROP TABLE \(identifier: name)")
        connection.clearStatements()
    }

    /// The index without some columns; nil if it has no others.
    func without(_ dropped: [String]) -> SearchIndex? {
        let kept = columns.filter { !dropped.contains($0) }
        return kept.isEmpty ? nil : SearchIndex(name: name, table: table, columns: kept, rowKey: rowKey)
    }
}
