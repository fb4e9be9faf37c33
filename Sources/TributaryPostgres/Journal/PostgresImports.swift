public import TributaryImport

/// The imports into a database of PostgreSQL.
///
///     let imports = PostgresImports(in: try PostgresAddress("postgres://app@db.example.com/app"))
///     for entry in try imports.entries() where entry.state.isUnfinished { print(entry.run) }
public struct PostgresImports: Sendable, ImportDatabase {
    /// The database.
    public let address: PostgresAddress

    /// The imports into the database at `address`.
    public init(in address: PostgresAddress) { self.address = address }

    package var files: [(name: String, path: String)] { [] }

    package func reading<Result>(_ body: (any ImportStore) throws -> Result) throws -> Result {
        try withConnection(body)
    }

    /// Calls `body` with a connection to a database that has a journal.
    private func withConnection<Result>(_ body: (PostgresConnection) throws -> Result) throws -> Result {
        let connection = try PostgresConnection(address, role: "journal")
        defer { connection.close() }
        guard try JournalTables.exist(on: connection) else { throw JournalTables.missing(in: address) }
        return try body(connection)
    }

    // MARK: Runs

    /// All runs, the oldest first; an unfinished one has the counts of all that was committed.
    ///
    /// - Throws: `PostgresError`, `ImportError` if nothing was imported, or a row cannot be read.
    public func entries() throws -> [JournalEntry] { try withConnection { try $0.runs() } }

    /// All runs, the oldest first, with their rejects and processes.
    ///
    /// - Throws: `PostgresError`, `ImportError` if nothing was imported, or a row cannot be read.
    public func runs() throws -> [RunStatus] { try withConnection { try $0.status() } }

    /// The rejected records, except those that were imported since.
    public var rejects: RejectedRecords { RejectedRecords(self) }

    /// The number of references to objects that are not there yet, by relationship, as `Book.author`.
    ///
    /// - Throws: `PostgresError`, `ImportError` if nothing was imported.
    public func waitingReferences() throws -> [String: Int] { try withConnection { try $0.waitingReferences() } }

    /// Deletes a run from the journal, with its rejects and records that are held back; rows of tables stay.
    ///
    /// If the run was loading a table, the index of the table is made first. After that the same import starts from
    /// the beginning.
    ///
    /// - Returns: Whether the journal had the run.
    /// - Throws: `ImportError` if a process works on the run, `PostgresError`.
    @discardableResult
    public func forget(run: Int) throws -> Bool {
        try forget { try [RunJournal.run(run, on: $0)].compactMap(\.self) } > 0
    }

    /// Deletes all runs that imported into one table alone.
    ///
    /// - Returns: The number of deleted runs.
    /// - Throws: `ImportError` if a process works on one of them, `PostgresError`.
    @discardableResult
    public func forget(entity name: String) throws -> Int {
        try forget { connection in
            try RunJournal.runs(on: connection).filter { run in run.entry.routes.allSatisfy { $0.entity == name } }
        }
    }

    private func forget(_ find: (PostgresConnection) throws -> [StoredRun]) throws -> Int {
        try withConnection { connection in
            func makeIndexes(of run: StoredRun) throws {
                let owners = try RunJournal.owners(of: run.run, on: connection)
                guard owners.isEmpty else {
                    throw ImportError(
                        .running, "run \(run.run) is in progress (\(owners.shortList))", remedy: .wait)
                }
                if run.entry.state.isUnfinished { try RunEnd.makeIndexes(of: run, on: connection) }
            }
            // Before the lock is taken: other imports wait for it.
            for run in try find(connection) { try makeIndexes(of: run) }
            return try connection.transaction {
                try JournalTables.takeLock(on: connection)
                let runs = try find(connection)
                for run in runs {
                    try makeIndexes(of: run)
                    _ = try RunJournal.delete(run.run, on: connection)
                }
                return runs.count
            }
        }
    }

    // MARK: Tables

    /// What an import needs to know of a table before it begins.
    package struct KnownTable: Sendable {
        /// Whether an import has made it.
        package let isOwn: Bool
        /// The columns that identify its rows: those of a running load, or of its first unique index.
        package let key: [String]?
    }

    /// The table with a name; nil if there is none.
    ///
    /// - Throws: `PostgresError`, `ImportError` if a row of the journal cannot be read.
    package func table(_ name: String) throws -> KnownTable? {
        let connection = try PostgresConnection(address, role: "journal")
        defer { connection.close() }
        guard let table = try PostgresTable(name, on: connection) else { return nil }
        let loading = try JournalTables.exist(on: connection) ? RunJournal.loading(on: connection)[name] : nil
        return KnownTable(isOwn: table.isOwn, key: loading?.indexes[name] ?? table.keys.first)
    }
}
