extension PostgresConnection {
    /// Begins a transaction, each statement of which sees what was committed before it.
    package func begin() throws {
        guard !isInTransaction else {
            throw PostgresError(.misuse, "a transaction is open", hint: "use savepoint inside a transaction")
        }
        try execute("BEGIN ISOLATION LEVEL READ COMMITTED")
    }

    /// Commits the transaction; throws `commitUnknown` if the connection was lost meanwhile, `rolledBack` if a statement
    /// of the transaction had failed.
    package func commit() throws {
        guard isInTransaction else {
            if isBroken {
                throw PostgresError(.connectionLost, "the connection to \(address) was lost before the commit")
            }
            throw PostgresError(.misuse, "no transaction is open")
        }
        let result: PostgresResult
        do {
            result = try execute("COMMIT")
        } catch let error as PostgresError where isBroken {
            throw error.with(
                .commitUnknown, reason: "the connection to \(address) was lost during a commit: \(error.reason)")
        }
        guard result.tag == "COMMIT" else {
            throw PostgresError(.rolledBack, "the transaction was rolled back, because a statement of it had failed")
        }
    }

    /// Rolls the transaction back, with a COPY that is in progress; the server does so too if the connection is lost.
    package func rollback() throws {
        abandonCopy("the transaction is rolled back")
        try execute("ROLLBACK")
    }

    /// Runs `body` in a transaction that is committed if it returns and rolled back if it throws.
    ///
    /// After `commitUnknown`, only the database tells whether the transaction was committed.
    package func transaction<R>(_ body: () throws -> R) throws -> R {
        try begin()
        do {
            let result = try body()
            try commit()
            return result
        } catch {
            // The first error is the one to report.
            if isInTransaction { try? rollback() }
            throw error
        }
    }

    /// Runs `body` in a savepoint of the transaction; what it did is undone if it throws.
    package func savepoint<R>(_ body: () throws -> R) throws -> R {
        try execute("SAVEPOINT _tributary")
        do {
            let result = try body()
            try execute("RELEASE SAVEPOINT _tributary")
            return result
        } catch {
            abandonCopy("the savepoint is rolled back")
            if isInTransaction {
                _ = try? execute("ROLLBACK TO SAVEPOINT _tributary")
                _ = try? execute("RELEASE SAVEPOINT _tributary")
            }
            throw error
        }
    }
}
