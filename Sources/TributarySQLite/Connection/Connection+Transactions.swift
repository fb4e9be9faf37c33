import CTributarySQLite

extension Connection {
    /// Runs `body` in a transaction that is committed if it returns and rolled back if it throws.
    ///
    /// Inside another transaction, `body` runs in a savepoint.
    ///
    /// - Throws: `SQLiteError`, or the error of `body`.
    public func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        guard !isInTransaction else {
            try execute("SAVEPOINT _tributary")
            return try finish(
                body, commit: "RELEASE _tributary", rollback: ["ROLLBACK TO _tributary", "RELEASE _tributary"])
        }
        try execute("BEGIN IMMEDIATE")
        return try finish(body, commit: "COMMIT", rollback: ["ROLLBACK"])
    }

    /// Runs `body` in a transaction that is always rolled back.
    ///
    /// - Throws: `SQLiteError`, or the error of `body`.
    public func rollingBack<Result>(_ body: () throws -> Result) throws -> Result {
        try execute("BEGIN IMMEDIATE")
        defer { try? execute("ROLLBACK") }
        return try body()
    }

    /// Runs `body`, whose reads see one state of the database.
    ///
    /// - Throws: `SQLiteError`, or the error of `body`.
    public func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
        guard !isInTransaction else { return try body() }
        try execute("BEGIN")
        return try finish(body, commit: "COMMIT", rollback: ["ROLLBACK"])
    }

    /// Checks the deferred foreign keys before the commit.
    ///
    /// - Throws: `SQLiteError` if a reference refers to a missing row, as the commit would.
    public func checkReferences() throws {
        var (open, highest): (Int32, Int32) = (0, 0)
        let result = sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &open, &highest, 0)
        if result == SQLITE_OK, open > 0 {
            throw SQLiteError(.foreignKeyConstraint, "a reference refers to a missing row", database: name)
        }
    }

    private func finish<Result>(_ body: () throws -> Result, commit: SQLFragment, rollback: [SQLFragment]) throws
        -> Result
    {
        do {
            let result = try body()
            try execute(commit)
            return result
        } catch {
            // SQLite may have rolled back by itself, for example on a full disk; the first error is the one to report.
            if isInTransaction { for statement in rollback { try? execute(statement) } }
            throw error
        }
    }
}
