import TributaryImport

/// The last steps of runs.
enum RunEnd {
    /// Makes the indexes of the keys of tables that a run has filled without them, each in a transaction unless one is
    /// open.
    ///
    /// Another process that makes the same index at the same time is waited for.
    static func makeIndexes(of run: StoredRun, on connection: PostgresConnection) throws {
        for (name, key) in run.indexes.sorted(by: { $0.key < $1.key }) {
            do {
                guard !connection.isInTransaction else {
                    try makeIndex(of: name, key, on: connection)
                    continue
                }
                try connection.transaction { try makeIndex(of: name, key, on: connection) }
            } catch let error as PostgresError where error.isUniqueViolation {
                throw ImportError(
                    .route,
                    """
                    \(name) has two rows with one key, from another program, or since their times differ by less than a \
                    microsecond: \(error.detail ?? error.reason)
                    """,
                    hint: "delete one of them, then run the import again")
            }
        }
    }

    private static func makeIndex(of name: String, _ key: [String], on connection: PostgresConnection) throws {
        func table() throws -> PostgresTable? {
            let table = try PostgresTable(name, on: connection)
            return table?.keys.contains { Set($0) == Set(key) } ?? true ? nil : table
        }
        guard let unindexed = try table() else { return }
        try connection.execute("LOCK TABLE \(unindexed.reference) IN ACCESS EXCLUSIVE MODE")
        guard let table = try table() else { return }
        try connection.execute("ALTER TABLE \(table.reference) ADD PRIMARY KEY (\(names: key))")
    }
}
