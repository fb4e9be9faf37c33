import CTributarySQLite

extension Connection {
    /// Lets statements only read from now on, and create temporary views, whatever the SQL is.
    ///
    /// Virtual tables must have been used before: some prepare statements that write when they are first read.
    package func allowOnlyReading() throws {
        try execute("PRAGMA query_only = ON")
        clearStatements()
        sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
        sqlite3_set_authorizer(
            handle,
            { _, action, name, detail, _, _ in
                switch action {
                case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE, SQLITE_TRANSACTION, SQLITE_CREATE_TEMP_VIEW:
                    return SQLITE_OK
                case SQLITE_FUNCTION:
                    return detail.map { String(cString: $0) } == "load_extension" ? SQLITE_DENY : SQLITE_OK
                case SQLITE_PRAGMA:
                    return name.map { readingPragmas.contains(String(cString: $0)) } ?? false ? SQLITE_OK : SQLITE_DENY
                case SQLITE_INSERT, SQLITE_UPDATE:
                    // Temporary views are rows of a schema, and SQLite compiles such statements for virtual tables, too,
                    // without running them. The schema of the file stays protected by other settings.
                    return ["sqlite_temp_master", "sqlite_master"].contains(name.map { String(cString: $0) })
                        ? SQLITE_OK : SQLITE_DENY
                default: return SQLITE_DENY
                }
            }, nil)
    }

    /// Creates a temporary view on a connection that may only read.
    package func createTemporaryView(_ name: String, as query: SQLFragment) throws {
        try execute("PRAGMA query_only = OFF")
        defer { try? execute("PRAGMA query_only = ON") }
        try execute("CREATE TEMP VIEW \(identifier: name) AS \(query)")
    }

    /// Ends statements with the error `tooBig` that meet a text or blob of more bytes.
    package func setLongestValue(bytes: Int) { sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: bytes)) }
}

/// What tells of a schema, those that full-text indexes ask for, and the setting of `createTemporaryView`.
private let readingPragmas: Set<String> = [
    "data_version", "encoding", "foreign_key_list", "index_info", "index_list", "index_xinfo", "page_count",
    "page_size", "query_only", "schema_version", "table_info", "table_list", "table_xinfo",
]
