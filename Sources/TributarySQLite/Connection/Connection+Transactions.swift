import CTributarySQLite

extension Connection {
    /// Runs `body` in a transaction that is kept if it returns and undone if it throws; inside another one, in a
    /// savepoint of it.
    ///
    /// - Throws: `SQLiteError`, or what `body` throws.
    public func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        guard !isInTransaction else { return try savepoint(body) }
        try execute("BEGIN IMMEDIATE")
        return try finish(body, commit: "COMMIT", rollback: ["ROLLBACK"])
    }

    /// Runs `body` in a transaction that is rolled back whatever happens.
    ///
    /// - Throws: `SQLiteError`, or what `body` throws.
    public func undoing<Result>(_ body: () throws -> Result) throws -> Result {
        try execute("BEGIN IMMEDIATE")
        defer { try? execute("ROLLBACK") }
        return try body()
    }

    /// Reads of `body` see one state of the database.
    ///
    /// - Throws: `SQLiteError`, or what `body` throws.
    public func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
        guard !isInTransaction else { return try body() }
        try execute("BEGIN")
        return try finish(body, commit: "COMMIT", rollback: ["ROLLBACK"])
    }

    /// Throws if references that are checked at the commit lead nowhere, for whoever wants to know before it.
    ///
    /// - Throws: `SQLiteError`, as the commit would.
    public func checkReferences() throws {
        var (open, highest): (Int32, Int32) = (0, 0)
        let result = sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &open, &highest, 0)
        if result == SQLITE_OK, open > 0 {
            throw SQLiteError(.foreignKeyConstraint, "a reference leads nowhere", database: name)
        }
    }

    /// Runs `body` so that what it does can be undone apart from the transaction around.
    private func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
        try execute("SAVEPOINT _tributary")
        return try finish(
            body, commit: "RELEASE _tributary", rollback: ["ROLLBACK TO _tributary", "RELEASE _tributary"])
    }

    private func finish<Result>(_ body: () throws -> Result, commit: SQLFragment, rollback: [SQLFragment]) throws
        -> Result
    {
        do {
            let result = try body()
            try execute(commit)
            return result
        } catch {
            // SQLite may have rolled back by itself, as when the disk is full. What went wrong first is what counts.
            if isInTransaction { for statement in rollback { try? execute(statement) } }
            throw error
        }
    }
}
