import CTributaryThread
package import TributarySQLite

extension SQLiteStore {
    /// From how many bytes on the log of an import is copied: some hundred milliseconds of work, which what was read
    /// ahead lasts for.
    private static let logBytes: Int64 = 24_000_000

    /// Runs `body` while the connection that writes has so much memory for pages, and copies its log as suits an import.
    ///
    /// - Throws: what `body` throws.
    package func withImportSettings<Result>(
        cacheKiB: Int, _ session: Connection? = nil, _ body: () throws -> Result
    ) throws -> Result {
        func locked(_ body: (Connection) throws -> Void) throws {
            if let session { try body(session) } else { try importing { connection in try body(connection) } }
        }
        _ = SQLiteStore.returnsMemory
        var earlier: SQLValue?
        try locked { connection in
            earlier = try connection.value(of: "PRAGMA cache_size")
            try connection.execute(SQLFragment(stringLiteral: "PRAGMA cache_size = -\(cacheKiB)"))
            if case .integer(let size)? = try connection.value(of: "PRAGMA page_size"), size > 0 {
                connection.letLogGrow(to: Int(SQLiteStore.logBytes / size))
            }
        }
        defer {
            try? locked { connection in
                connection.letLogGrow(to: nil)
                if session == nil, connection.isLogDue { connection.copyLog() }
                if case .integer(let pages)? = earlier {
                    try connection.execute(SQLFragment(stringLiteral: "PRAGMA cache_size = \(pages)"))
                }
            }
        }
        return try body()
    }

    /// Whoever promises how much memory he takes must give back what he frees; asked for once in a process.
    private static let returnsMemory: Void = tributary_return_memory()

    /// Runs `body` in a transaction that is on the disk when it has ended, whatever is asked of others.
    ///
    /// - Throws: what `body` throws, `SQLiteError`.
    package func durably(_ body: (Connection) throws -> Void) throws {
        try importing { connection in
            guard !options.isDurable, case .integer(let level)? = try connection.value(of: "PRAGMA synchronous") else {
                return try connection.transaction { try body(connection) }
            }
            try connection.execute("PRAGMA synchronous = EXTRA")
            defer { try? connection.execute(SQLFragment(stringLiteral: "PRAGMA synchronous = \(level)")) }
            try connection.transaction { try body(connection) }
        }
    }

    /// Forgets statements that were made for tables that are no longer there.
    package func forgetStatements() { try? importing { connection in connection.clearStatements() } }
}
