package import TributarySQLite

/// Reads a database file without its model; the only change is to roll back the transaction of a crashed writer.
package enum StoreInspection {
    /// Calls `body` with a connection that reads a store, or the unpublished one of its name.
    ///
    /// - Returns: The result of `body`; nil if the file does not exist or is empty.
    package static func read<Result>(_ path: String, _ body: (Connection) throws -> Result) throws -> Result? {
        try readDatabase(path) { try StoreIdentity(of: $0) == nil ? nil : try body($0) } ?? nil
    }

    /// Calls `body` with a connection that reads any SQLite database; nil if the file does not exist.
    static func readDatabase<Result>(_ path: String, _ body: (Connection) throws -> Result) throws -> Result? {
        guard let path = StoreFiles.existing(of: path) else { return nil }
        do {
            do {
                return try read(path, isReadOnly: true, body)
            } catch let error as SQLiteError where error.code == .unfinishedWriting {
                // Only a connection that can write can roll back the journal, and until then no connection can read.
                return try read(path, isReadOnly: false, body)
            }
        } catch let error as SQLiteError {
            throw StoreError.explaining(error, at: .sqlite(path))
        }
    }

    private static func read<Result>(
        _ path: String, isReadOnly: Bool, _ body: (Connection) throws -> Result
    ) throws -> Result {
        var options = Connection.Options()
        options.isReadOnly = isReadOnly
        let connection = try Connection(.file(path), options: options)
        return try connection.snapshot { try body(connection) }
    }
}
