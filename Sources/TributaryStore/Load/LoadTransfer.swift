package import TributarySQLite

/// Moves the rows of complete loads into the tables of a database.
package enum LoadTransfer {
    private static func alias(_ row: LoadRow) -> String { "load\(row.number)" }

    /// Calls `body` while the files of loads are attached to a connection, and foreign keys are not enforced.
    ///
    /// A loaded row leads to rows of the same run only, which are moved with it.
    package static func attaching<Result>(
        _ loads: [DirectLoad], to connection: Connection, _ body: () throws -> Result
    ) throws -> Result {
        var attached: [LoadRow] = []
        defer {
            connection.clearStatements()
            for row in attached { try? connection.execute("DETACH \(identifier: alias(row))") }
            try? connection.execute("PRAGMA foreign_keys = ON")
        }
        try connection.execute("PRAGMA foreign_keys = OFF")
        for load in loads {
            try adoptColumns(load, on: connection)
            try connection.execute("ATTACH \(load.path) AS \(identifier: alias(load.row))")
            attached.append(load.row)
            // The file is only read. Several with a journal would get a common one, which a killed process would leave.
            try connection.execute("PRAGMA \(identifier: alias(load.row)).journal_mode = MEMORY")
        }
        return try body()
    }

    /// Moves all rows of an attached load, in a transaction: SQLite copies rows and index entries as they are.
    package static func move(_ load: DirectLoad, in store: SQLiteStore, on connection: Connection) throws {
        try checkEmpty(load, in: store, on: connection)
        let table = load.row.table
        let insertion: SQLFragment =
            "INSERT INTO main.\(identifier: table) SELECT * FROM \(identifier: alias(load.row)).\(identifier: table)"
        try connection.execute(insertion)
        try load.mark(.published, on: connection)
    }

    /// Throws if the table of a load has got rows meanwhile.
    static func checkEmpty(_ load: DirectLoad, in store: SQLiteStore, on connection: Connection) throws {
        let table = load.row.table
        guard try connection.hasRows("SELECT 1 FROM main.\(identifier: table) LIMIT 1") else { return }
        throw StoreError(
            .inUse, store.name, "another program has added rows to \(table) while it was loaded",
            hint: "delete these rows and import again, or begin again with resuming set to .restart")
    }

    /// Gives the table of a complete load the columns and types that the table of the database got during the load.
    static func adoptColumns(_ load: DirectLoad, on connection: Connection) throws {
        let table = load.row.table
        let side = try Connection(.file(load.path))
        try side.execute("PRAGMA synchronous = EXTRA")
        func columns(_ connection: Connection) throws -> [(name: String, type: String)] {
            try connection.rows(of: "SELECT \"name\", \"type\" FROM pragma_table_info(\(table))") {
                ($0.text(at: 0), $0.text(at: 1))
            }
        }
        let (wanted, known) = (try columns(connection), try columns(side))
        let altered = zip(wanted, known).filter { $0.type != $1.type }.compactMap { column, _ in
            ColumnLayout.Storage(rawValue: column.type).map { (column.name, $0) }
        }
        let missing = wanted.dropFirst(known.count)
        guard !missing.isEmpty || !altered.isEmpty else { return }
        try side.transaction {
            for column in missing {
                // The type is one of those that this library declares.
                let type = SQLFragment(trusted: column.type)
                try side.execute("ALTER TABLE \(identifier: table) ADD COLUMN \(identifier: column.name) \(type)")
            }
            try GrowingTable.declare(altered, in: table, on: side)
        }
    }
}
