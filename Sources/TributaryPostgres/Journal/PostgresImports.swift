public import Tributary
public import TributaryStore
import TributaryJSON

/// The imports into a database of PostgreSQL.
///
///     let imports = PostgresImports(in: try PostgresAddress("postgres://app@db.example.com/app"))
///     for entry in try imports.entries() where entry.state.isUnfinished { print(entry.run) }
public struct PostgresImports: Sendable {
    /// The database.
    public let address: PostgresAddress

    /// The imports into the database at `address`.
    public init(in address: PostgresAddress) { self.address = address }

    /// Calls `body` with a connection to a database that has a journal.
    private func withConnection<R>(_ body: (PostgresConnection) throws -> R) throws -> R {
        let connection = try PostgresConnection(address, role: "journal")
        defer { connection.close() }
        guard try JournalTables.exist(on: connection) else { throw JournalTables.missing(in: address) }
        return try body(connection)
    }

    // MARK: Runs

    /// All runs, the oldest first; an unfinished one has the counts of all that was committed.
    ///
    /// - Throws: `PostgresError`, `ImportError` if nothing was imported, or a row cannot be read.
    public func entries() throws -> [JournalEntry] {
        try withConnection { try RunJournal.runs(on: $0).map(\.entry) }
    }

    /// A run, and what belongs to it.
    public struct Run: Sendable {
        /// Its entry in the journal.
        public let entry: JournalEntry
        /// The number of its rejects that were not imported since.
        public let rejects: Int
        /// The names of the processes that work on it, on any machine.
        public let workers: [String]
    }

    /// All runs, the oldest first, with their rejects and processes.
    ///
    /// - Throws: `PostgresError`, `ImportError` if nothing was imported, or a row cannot be read.
    public func runs() throws -> [Run] {
        try withConnection { connection in
            let rejects = try RejectRows.counts(on: connection)
            return try RunJournal.runs(on: connection).map { run in
                let isOpen = run.entry.state.isUnfinished
                return Run(
                    entry: run.entry, rejects: rejects[run.run] ?? 0,
                    workers: try isOpen ? RunJournal.owners(of: run.run, on: connection) : [])
            }
        }
    }

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

    // MARK: Rejects

    /// The number of rejects, of one run or of all.
    ///
    /// - Throws: `PostgresError`, `ImportError` if nothing was imported.
    public func rejectCount(run: Int? = nil) throws -> Int {
        try withConnection { try RejectRows.count(run: run, on: $0) }
    }

    /// The next rejects after an ID, in the order in which they were rejected.
    ///
    /// - Throws: `PostgresError`, `ImportError` if nothing was imported.
    public func rejects(after id: Int64 = 0, run: Int? = nil, limit: Int = 1000) throws -> [RejectedRecord] {
        try withConnection { try RejectRows.page(after: id, run: run, limit: limit, on: $0) }
    }

    /// Writes the rejects to a file, one JSON object a line, so that they can be edited and retried.
    ///
    /// - Throws: `ImportError` if the file cannot be written or holds something else, such as edited rejects;
    ///   `PostgresError`.
    public func writeRejects(to path: String, run: Int? = nil) throws {
        try withConnection { connection in
            try RejectsFile(path: path, besides: [], on: connection).export(run: run, on: connection)
        }
    }

    /// Calls `body` with the rejects as lines of JSON, many lines at a time.
    ///
    /// - Throws: `PostgresError`, `ImportError` if nothing was imported; errors of `body`.
    public func forEachRejectLines(run: Int? = nil, _ body: ([UInt8]) throws -> Void) throws {
        try withConnection { try RejectRows.forEachLines(run: run, on: $0, body) }
    }

    // MARK: References

    /// The number of references to objects that are not there yet, by relationship, as `Book.author`.
    ///
    /// - Throws: `PostgresError`, `ImportError` if nothing was imported.
    public func waitingReferences() throws -> [String: Int] {
        try withConnection { connection in
            guard try MirroredReferences.exists(on: connection) else { return [:] }
            let rows = try connection.execute(
                "SELECT relation, count(*) FROM \(name: MirroredReferences.name) GROUP BY relation")
            var counts: [String: Int] = [:]
            for row in 0..<rows.rowCount {
                let text = rows.text(row, 0) ?? ""
                let name = RelationName(text).map { "\($0.entity).\($0.relationship)" } ?? text
                counts[name, default: 0] += Int(rows.integer(row, 1) ?? 0)
            }
            return counts
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
