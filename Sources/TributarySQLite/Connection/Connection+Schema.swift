import CTributarySQLite

extension Connection {
    /// Replaces the text of the statement that made a table, in a transaction; rows and indexes stay as they are.
    ///
    /// SQLite has no statement that changes the declared type of a column. The new text must fit all rows.
    package func setStatement(ofTable name: String, to sql: String) throws {
        try writeSchema(
            "UPDATE sqlite_master SET \"sql\" = \(sql) WHERE \"type\" = 'table' AND \"name\" = \(name)")
    }

    /// Gives an index another name, in a transaction; SQLite has no statement for it.
    package func renameIndex(_ name: String, to new: String, sql: String) throws {
        try writeSchema(
            """
            UPDATE sqlite_master SET "name" = \(new), "sql" = \(sql) WHERE "type" = 'index' AND "name" = \(name)
            """)
    }

    /// Lets queries read views, which can call only functions that SQLite takes for harmless.
    package func allowViews() {
        _ = tributary_sqlite_configure(handle, Int32(SQLITE_DBCONFIG_ENABLE_VIEW), 1)
    }

    private func writeSchema(_ statement: SQLFragment) throws {
        guard case .integer(let version)? = try value(of: "PRAGMA schema_version") else {
            throw SQLiteError(.error, "the version of the schema cannot be read", database: self.name)
        }
        // Defensive connections cannot write the schema.
        tributary_sqlite_configure(handle, Int32(SQLITE_DBCONFIG_DEFENSIVE), 0)
        defer { tributary_sqlite_configure(handle, Int32(SQLITE_DBCONFIG_DEFENSIVE), 1) }
        try execute("PRAGMA writable_schema = ON")
        defer { try? execute("PRAGMA writable_schema = OFF") }
        try execute(statement)
        // All connections, this one too, read the schema again.
        try execute(SQLFragment(trusted: "PRAGMA schema_version = \(version + 1)"))
        clearStatements()
    }
}
