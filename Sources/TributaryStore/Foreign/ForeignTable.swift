package import TributarySQLite

/// A table that another program made, as its schema declares it.
package struct ForeignTable: Sendable {
    /// A column of the table.
    package struct Column: Sendable, Hashable {
        /// The name.
        package let name: String
        /// The values that SQLite stores in it without changing them.
        package let affinity: Affinity
        /// Whether its value is computed from other columns.
        package let isGenerated: Bool
    }

    /// What SQLite makes of a value in a column, by its declared type.
    package enum Affinity: Sendable {
        case integer, real, text, numeric
        /// Nothing.
        case none

        /// The affinity of a declared type, by the rules of SQLite.
        init(_ type: String, isStrict: Bool) {
            let type = type.uppercased()
            self =
                if type.contains("INT") {
                    .integer
                } else if ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) {
                    .text
                } else if type.isEmpty || type.contains("BLOB") || isStrict && type == "ANY" {
                    .none
                } else if ["REAL", "FLOA", "DOUB"].contains(where: type.contains) {
                    .real
                } else {
                    .numeric
                }
        }
    }

    /// The name, as the schema has it.
    package let name: String
    /// The columns, generated ones included.
    package private(set) var columns: [Column] = []
    /// The columns of the primary key; empty if there is none.
    package private(set) var primaryKey: [String] = []
    /// The columns of each unique index of all rows, that of the primary key excluded.
    package private(set) var uniqueKeys: [[String]] = []
    /// Whether the definition says what happens when a constraint is violated.
    let hasConflictClause: Bool
    /// Whether a write may have effects besides its row, or be refused because of other tables.
    let hasEffects: Bool

    /// Reads the table of a name, in any case of its letters; nil if there is none.
    package init?(_ wanted: String, on connection: Connection) throws {
        var found: (name: String, kind: String)?
        try connection.forEachRow(
            of: """
                SELECT "name", "type" FROM pragma_table_list
                WHERE "schema" = 'main' AND "name" = \(wanted) COLLATE NOCASE
                """
        ) { found = ($0.text(at: 0), $0.text(at: 1)) }
        guard let (name, kind) = found else { return nil }
        guard kind == "table" else {
            throw StoreError(
                .foreign, connection.name,
                kind == "view" ? "\(name) is a view, which has no rows of its own" : "\(name) is a \(kind) table",
                hint: "import into the table whose rows it shows; its triggers are run")
        }
        self.name = name
        let sql = try connection.value(of: "SELECT \"sql\" FROM sqlite_master WHERE \"name\" = \(name)")
        let text = if case .text(let text)? = sql { text.uppercased() } else { "" }
        // Blanks or comments may stand between its two words.
        hasConflictClause = text.contains("CONFLICT")
        hasEffects = try connection.hasRows(
            """
            SELECT 1 FROM sqlite_master WHERE "type" = 'trigger' AND "tbl_name" = \(name) COLLATE NOCASE
            OR "type" = 'table' AND "sql" LIKE '%REFERENCES%' LIMIT 1
            """)
        let isStrict = try connection.hasRows("SELECT 1 FROM pragma_table_list WHERE \"name\" = \(name) AND \"strict\"")
        var parts: [(position: Int64, name: String)] = []
        try connection.forEachRow(
            of: "SELECT \"name\", \"type\", \"pk\", \"hidden\" FROM pragma_table_xinfo(\(name))"
        ) { row in
            let column = row.text(at: 0)
            columns.append(
                Column(
                    name: column, affinity: Affinity(row.text(at: 1), isStrict: isStrict),
                    isGenerated: row.integer(at: 3) > 1))
            if row.integer(at: 2) > 0 { parts.append((row.integer(at: 2), column)) }
        }
        primaryKey = parts.sorted { $0.position < $1.position }.map(\.name)
        try readIndexes(on: connection)
    }

    private mutating func readIndexes(on connection: Connection) throws {
        let indexes = try connection.texts(
            of: """
                SELECT "name" FROM pragma_index_list(\(name))
                WHERE "unique" AND NOT "partial" AND "origin" <> 'pk' ORDER BY "seq" DESC
                """)
        for index in indexes {
            let parts = try connection.rows(
                of: "SELECT \"cid\", \"name\" FROM pragma_index_info(\(index)) ORDER BY \"seqno\""
            ) { (column: $0.integer(at: 0), name: $0.text(at: 1)) }
            // An expression has no column.
            if parts.allSatisfy({ $0.column >= 0 }) { uniqueKeys.append(parts.map(\.name)) }
        }
    }

    /// The columns by which a row is found if no others are named: the primary key, or else the only unique index; nil
    /// if there is none, or if there are several indexes.
    package var rowKey: [String]? {
        primaryKey.isEmpty ? uniqueKeys.count == 1 ? uniqueKeys[0] : nil : primaryKey
    }

    /// The columns that rows have values for.
    package var writableColumns: [Column] { columns.filter { !$0.isGenerated } }

    /// Reads the table of a name in the database at a path, which may be without tables of this library.
    package static func read(_ name: String, in path: String) throws -> ForeignTable? {
        try StoreInspection.readDatabase(path) { try ForeignTable(name, on: $0) } ?? nil
    }

    /// The names of the tables and views in a database that this library has not made, in lower case.
    package static func names(in path: String, besides model: ModelDescription?) throws -> Set<String> {
        try StoreInspection.readDatabase(path) { connection in
            let all = try connection.texts(of: "SELECT \"name\" FROM sqlite_master WHERE \"type\" IN ('table', 'view')")
            var names = Set(all.map { $0.lowercased() })
            let own = try model.map { try Schema(Model($0)) }
            for table in own?.tables ?? [] { names.remove(table.name.lowercased()) }
            return names
        } ?? []
    }
}
