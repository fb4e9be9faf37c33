import CTributarySQLite

extension Connection {
    /// Replaces the text of the statement that made a table, in a transaction; rows and indexes stay as they are.
    ///
    /// SQLite has no statement that changes the declared type of a column. The new text must fit all rows.
    ///
    /// - Throws: `SQLiteError`.
    package func setStatement(ofTable name: String, to sql: String) throws {
        guard case .integer(let version)? = try value(of: "PRAGMA schema_version") else {
            throw SQLiteError(.error, "the version of the schema cannot be read", database: self.name)
        }
        // Defensive connections cannot write the schema.
        tributary_sqlite_configure(handle, Int32(SQLITE_DBCONFIG_DEFENSIVE), 0)
        defer { tributary_sqlite_configure(handle, Int32(SQLITE_DBCONFIG_DEFENSIVE), 1) }
        try execute("PRAGMA writable_schema = ON")
        defer { try? execute("PRAGMA writable_schema = OFF") }
        try execute("UPDATE sqlite_master SET \"sql\" = \(sql) WHERE \"type\" = 'table' AND \"name\" = \(name)")
        // All connections, this one too, read the schema again.
        try execute(SQLFragment(trusted: "PRAGMA schema_version = \(version + 1)"))
        clearStatements()
    }
}
