public import TributaryImport

extension Imports {
    /// The imports into the database at `address`.
    ///
    ///     let imports = Imports(in: try PostgresAddress("postgres://app@db.example.com/app"))
    ///     for entry in try imports.entries() where entry.state.isUnfinished { print(entry.run) }
    public init(in address: PostgresAddress) { self.init(PostgresDatabase(address)) }
}

/// A database of PostgreSQL, with a connection for each question.
package struct PostgresDatabase: ImportDatabase {
    private let address: PostgresAddress

    /// The database at `address`.
    package init(_ address: PostgresAddress) { self.address = address }

    package var name: String { "\(address)" }
    package var files: [(name: String, path: String)] { [] }

    package func reading<Result>(_ body: (any ImportStore) throws -> Result) throws -> Result {
        try withConnection(body)
    }

    /// Calls `body` with a connection to a database that has a journal.
    private func withConnection<Result>(_ body: (PostgresConnection) throws -> Result) throws -> Result {
        let connection = try PostgresConnection(address, role: "journal")
        defer { connection.close() }
        guard try JournalTables.exist(on: connection) else {
            throw ImportError(.journal, "\(address): nothing was imported into the database")
        }
        return try body(connection)
    }

    package func forget(run: Int) throws -> Bool {
        try forget { try [RunJournal.run(run, on: $0)].compactMap(\.self) } > 0
    }

    package func forget(entity name: String) throws -> Int {
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
    package func table(_ name: String) throws -> KnownTable? {
        let connection = try PostgresConnection(address, role: "journal")
        defer { connection.close() }
        guard let table = try PostgresTable(name, on: connection) else { return nil }
        let loading = try JournalTables.exist(on: connection) ? RunJournal.loading(on: connection)[name] : nil
        return KnownTable(isOwn: table.isOwn, key: loading?.indexes[name] ?? table.keys.first)
    }
}
