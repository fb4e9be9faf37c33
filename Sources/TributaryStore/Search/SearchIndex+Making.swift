package import TributarySQLite

/// Making the index that an import asks for.
extension SearchIndex {
    /// What was made.
    package struct Change: Sendable {
        /// The index.
        package let index: SearchIndex
        /// The columns of the index in whose place it was made; nil if there was none.
        package let earlier: [String]?
    }

    /// Makes the index of columns of a table, in place of one of other columns; nil if it is there.
    ///
    /// - Throws: `StoreError` if the table cannot have it, or something else has its name; `SQLiteError`.
    package static func make(
        of table: String, _ columns: [String], on connection: Connection
    ) throws -> Change? {
        // Rows of an unfinished load would come into the table without the triggers.
        try LoadRow.checkNone(of: table, on: connection)
        return try connection.transaction {
            let known = try existing(of: table, columns, on: connection)
            guard let rowKey = try rowKey(of: table, on: connection) else { throw noNumbers(table, connection) }
            let index = SearchIndex(name: name(of: table), table: table, columns: columns, rowKey: rowKey)
            if let known {
                if known.columns == columns, try known.hasTriggers(on: connection) { return nil }
                try known.drop(on: connection)
            }
            try index.create(on: connection)
            return Change(index: index, earlier: known?.columns)
        }
    }

    /// Calls `body` with a connection that reads any database, if the file exists.
    package static func reading(_ path: String, _ body: (Connection) throws -> Void) throws {
        _ = try StoreInspection.readDatabase(path, body)
    }

    /// Throws if a table cannot have an index of these columns.
    package static func check(_ table: String, _ columns: [String], on connection: Connection) throws {
        _ = try existing(of: table, columns, on: connection)
        if try connection.hasTable(table), try rowKey(of: table, on: connection) == nil {
            throw noNumbers(table, connection)
        }
    }

    /// The index of a table with the name that this library gives it; nil if the names of its parts are free.
    private static func existing(
        of table: String, _ columns: [String], on connection: Connection
    ) throws -> SearchIndex? {
        let wanted = SearchIndex(name: name(of: table), table: table, columns: columns, rowKey: "")
        let known = try all(on: connection).first { $0.name == wanted.name && $0.table == table }
        // The columns of a table without a model are known after the load.
        if let known, known.columns != columns, !columns.isEmpty, try !all(isOwn: true, on: connection).contains(known)
        {
            throw taken("another program has made the full-text index \(wanted.name) of other columns", connection)
        }
        let parts = ["", "_data", "_idx", "_content", "_docsize", "_config"].map { wanted.name + $0 }
        let objects = try connection.rows(
            of: "SELECT \"type\", \"name\", \"tbl_name\", \"sql\" FROM sqlite_master WHERE \"type\" <> 'index'"
        ) { (kind: $0.text(at: 0), name: $0.text(at: 1), table: $0.text(at: 2), sql: $0.text(at: 3)) }
        for object in objects {
            let isTrigger = object.kind == "trigger"
            let names = isTrigger ? wanted.triggerNames : known == nil ? parts : []
            guard names.contains(where: { $0.lowercasedASCII == object.name.lowercasedASCII }) else { continue }
            if isTrigger, object.table == table, object.sql.contains(wanted.name) { continue }
            throw taken(
                "the full-text index of \(table) needs the name of the \(object.kind) \(object.name)", connection)
        }
        return known
    }

    /// Whether its triggers keep it in step.
    func hasTriggers(on connection: Connection) throws -> Bool {
        let names = triggerNames.map { SQLFragment($0) }
        let count = try connection.integer(
            of: """
                SELECT COUNT(*) FROM sqlite_master WHERE "type" = 'trigger' AND "tbl_name" = \(table) AND "name" IN (\(names))
                """)
        return count == Int64(names.count)
    }

    private static func taken(_ reason: String, _ connection: Connection) -> StoreError {
        StoreError(.foreign, connection.name, reason, hint: "rename or drop it, or import without the index")
    }

    private static func noNumbers(_ table: String, _ connection: Connection) -> StoreError {
        StoreError(
            .foreign, connection.name,
            "\(table) has no row IDs, by which a full-text index finds its rows, as a table WITHOUT ROWID or a view",
            hint: "import without the index")
    }
}
