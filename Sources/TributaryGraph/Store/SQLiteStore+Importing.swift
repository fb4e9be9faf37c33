package import TributarySQLite

extension SQLiteStore {
    /// Runs `body` while the connection that writes has so much memory for pages.
    ///
    /// - Throws: what `body` throws.
    package func withImportSettings<Result>(
        cacheKiB: Int, _ session: Connection? = nil, _ body: () throws -> Result
    ) throws -> Result {
        func locked(_ body: (Connection) throws -> Void) throws {
            if let session { try body(session) } else { try importing { connection, _ in try body(connection) } }
        }
        var earlier: SQLValue?
        try locked { connection in
            earlier = try connection.value(of: "PRAGMA cache_size")
            try connection.execute(SQLFragment(stringLiteral: "PRAGMA cache_size = -\(cacheKiB)"))
            // Indexes are sorted with a second thread.
            try connection.execute("PRAGMA threads = 2")
        }
        defer {
            try? locked { connection in
                if case .integer(let pages)? = earlier {
                    try connection.execute(SQLFragment(stringLiteral: "PRAGMA cache_size = \(pages)"))
                }
                try connection.execute("PRAGMA threads = 0")
            }
        }
        return try body()
    }

    /// Forgets statements that were made for tables that are no longer there.
    package func forgetStatements() { try? importing { connection, _ in connection.clearStatements() } }
}
