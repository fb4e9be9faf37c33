import CTributarySQLite

/// A compiled statement.
///
/// It belongs to the queue of its connection; one that outlives the connection keeps the database open.
public final class Statement {
    /// The text of the statement.
    public let sql: String
    let handle: OpaquePointer
    private let database: String

    init(_ sql: String, of connection: Connection) throws {
        self.sql = sql
        database = connection.name
        var prepared: OpaquePointer?
        var text = sql
        let (result, isWhole) = text.withUTF8 { bytes -> (Int32, Bool) in
            bytes.withMemoryRebound(to: CChar.self) { bytes in
                var rest: UnsafePointer<CChar>?
                let result = sqlite3_prepare_v3(
                    connection.handle, bytes.baseAddress, Int32(bytes.count), UInt32(SQLITE_PREPARE_PERSISTENT),
                    &prepared, &rest)
                guard let start = bytes.baseAddress, let rest else { return (result, true) }
                return (result, bytes[(rest - start)...].allSatisfy { " \n\t;".utf8.contains(UInt8(bitPattern: $0)) })
            }
        }
        guard result == SQLITE_OK else {
            throw SQLiteError(result, of: connection.handle, sql: sql, database: database)
        }
        guard let prepared, isWhole else {
            sqlite3_finalize(prepared)
            throw SQLiteError(.misuse, "expected exactly one statement", sql: sql, database: database)
        }
        handle = prepared
    }

    deinit { sqlite3_finalize(handle) }

    // MARK: Running

    /// Moves to the next row; false at the end.
    ///
    /// - Throws: `SQLiteError`.
    public func step() throws -> Bool {
        let result = sqlite3_step(handle)
        if result == SQLITE_ROW { return true }
        guard result == SQLITE_DONE else { throw failure(result) }
        return false
    }

    /// Writes a row; a trigger that ignores it is an error.
    package func write() throws {
        _ = try step()
        guard sqlite3_changes64(sqlite3_db_handle(handle)) == 0 else { return }
        throw SQLiteError(.constraint, "a trigger has ignored the row", sql: sql, database: database)
    }

    /// Prepares the statement to run again; its values stay bound.
    public func rewind() { sqlite3_reset(handle) }

    /// Prepares the statement to run again, and clears its values.
    public func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    func failure(_ result: Int32) -> SQLiteError {
        SQLiteError(result, of: sqlite3_db_handle(handle), sql: sql, database: database)
    }

    /// The number of placeholders.
    public var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }
}
