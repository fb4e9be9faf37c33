import Tributary

/// The last steps of runs.
enum RunEnd {
    /// Makes the indexes of the keys of tables that a run has filled without them.
    ///
    /// - Throws: `PostgresError`.
    static func makeIndexes(of run: StoredRun, on connection: PostgresConnection) throws {
        for (name, key) in run.indexes.sorted(by: { $0.key < $1.key }) {
            guard let table = try PostgresTable(name, on: connection),
                !table.keys.contains(where: { Set($0) == Set(key) })
            else { continue }
            do {
                try connection.execute("ALTER TABLE \(table.reference) ADD PRIMARY KEY (\(names: key))")
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
}
