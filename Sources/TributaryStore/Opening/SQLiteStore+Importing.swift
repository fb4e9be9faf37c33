import TributaryConcurrency
package import TributaryModel
package import TributarySQLite

extension SQLiteStore {
    /// The size in bytes at which the log of an import is checkpointed.
    ///
    /// Such a checkpoint takes some hundred milliseconds, during which other threads prepare the next chunks.
    private static let logBytes: Int64 = 24_000_000

    /// The numbers of the runs in progress.
    package var activeRuns: Set<Int> { imports.withLock { $0.runs } }

    /// Records that a run is in progress.
    package func begin(run: Int) { imports.withLock { _ = $0.runs.insert(run) } }

    /// Records that a run has ended.
    package func end(run: Int) { imports.withLock { _ = $0.runs.remove(run) } }

    /// Runs `body` while the writing connection has a page cache and a checkpoint size for imports.
    package func withImportSettings<Result>(
        cacheKiB: Int, _ session: Connection? = nil, _ body: () throws -> Result
    ) throws -> Result {
        func locked(_ body: (Connection) throws -> Void) throws {
            if let session { try body(session) } else { try importing { connection in try body(connection) } }
        }
        try locked { connection in
            let earlier = try connection.integer(of: "PRAGMA cache_size")
            try connection.execute(SQLFragment(trusted: "PRAGMA cache_size = -\(cacheKiB)"))
            if let size = try connection.integer(of: "PRAGMA page_size"), size > 0 {
                connection.log.threshold = Int32(SQLiteStore.logBytes / size)
            }
            imports.withLock { state in
                // The last of several concurrent imports restores the cache size from before the first one.
                if state.count == 0 { state.earlier = earlier }
                state.count += 1
            }
        }
        defer {
            try? locked { connection in
                let (isLast, earlier) = imports.withLock { state in
                    state.count -= 1
                    return (state.count == 0, state.earlier)
                }
                guard isLast else { return }
                connection.log.threshold = WriteAheadLog.threshold
                if session == nil, connection.log.isDue { connection.checkpoint() }
                if let pages = earlier {
                    try connection.execute(SQLFragment(trusted: "PRAGMA cache_size = \(pages)"))
                }
            }
        }
        return try body()
    }

    /// Runs `body`, whose transactions survive a power failure; the connection is not in a transaction.
    package func durably<Result>(_ connection: Connection, _ body: () throws -> Result) throws -> Result {
        let earlier = try connection.integer(of: "PRAGMA synchronous")
        try connection.execute("PRAGMA synchronous = EXTRA")
        defer {
            if let level = earlier {
                try? connection.execute(SQLFragment(trusted: "PRAGMA synchronous = \(level)"))
            }
        }
        return try body()
    }

    /// Removes all cached statements, because their tables may have been dropped.
    package func forgetStatements() { try? importing { connection in connection.clearStatements() } }

    /// What another program has changed in the table of an entity, as the end of a sentence; nil if it is complete.
    ///
    /// Columns that were added do no harm.
    package func alteration(of entity: Entity, on connection: Connection) throws -> String? {
        guard let layout = schema.table(of: entity) else { return nil }
        let columns = Set(try connection.columns(of: layout.name).map { $0.lowercased() })
        guard !columns.isEmpty else { return "its table was dropped or renamed" }
        let missing = layout.columns.map(\.name).filter { !columns.contains($0.lowercased()) }
        guard !missing.isEmpty else { return nil }
        let names = missing.prefix(5).joined(separator: ", ")
        return missing.count == 1
            ? "its column \(names) was dropped or renamed" : "its columns \(names) were dropped or renamed"
    }
}
