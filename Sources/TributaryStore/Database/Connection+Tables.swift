package import TributarySQLite

extension Connection {
    /// Whether the database has a table of this name.
    func hasTable(_ name: String) throws -> Bool {
        try hasRows("SELECT 1 FROM sqlite_master WHERE \"type\" = 'table' AND \"name\" = \(name)")
    }

    /// The names of the columns of a table, generated ones included; none if there is no such table.
    func columns(of table: String) throws -> [String] {
        try texts(of: "SELECT \"name\" FROM pragma_table_xinfo(\(table))")
    }

    /// The first value of the first row as a whole number; nil if there is no row, or another value.
    package func integer(of query: SQLFragment) throws -> Int64? {
        guard case .integer(let number)? = try value(of: query) else { return nil }
        return number
    }

    /// Throws if SQLite refuses to write a table by some statements, as for a trigger that calls an unknown function.
    func checkStatements(_ statements: [String], writing table: String) throws {
        do {
            for statement in statements { _ = try prepare(statement) }
        } catch let error as SQLiteError {
            throw StoreError(
                .foreign, name, "SQLite refuses to write the table \(table): \(error.message)",
                hint: "change its triggers or constraints; nothing was imported")
        }
    }

    /// The error of a trigger that has rolled back the transaction of an import.
    package func rolledBack(byTriggerOf table: String, _ error: SQLiteError) -> StoreError {
        StoreError(
            .foreign, name, "a trigger of \(table) has rolled back the transaction: \(error.message)",
            hint: "use RAISE(ABORT, …) in the trigger; what was committed before is kept")
    }
}
