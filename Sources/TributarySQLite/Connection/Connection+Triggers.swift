extension Connection {
    /// The names of the tables that have triggers.
    ///
    /// - Throws: `SQLiteError`.
    package func tablesWithTriggers() throws -> Set<String> {
        let version = try value(of: "PRAGMA schema_version")
        if let known = triggered, known.version == version { return known.tables }
        var tables: Set<String> = []
        // A trigger has the name of its table in the letters of its own statement.
        try forEachRow(
            of: """
                SELECT t."name" FROM sqlite_master AS t WHERE t."type" = 'table' AND EXISTS (SELECT 1
                FROM sqlite_master AS g WHERE g."type" = 'trigger' AND g."tbl_name" = t."name" COLLATE NOCASE)
                """
        ) { tables.insert($0.text(at: 0)) }
        triggered = (version, tables)
        return tables
    }
}
