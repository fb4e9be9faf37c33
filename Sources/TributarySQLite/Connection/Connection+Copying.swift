import CTributarySQLite

extension Connection {
    /// Copies this database, with everything that it contains, over another one in one transaction of that one.
    ///
    /// Readers of the destination see it as it was before or as it is afterwards. A process that ends at any time leaves
    /// one of the two.
    ///
    /// The destination is not in a transaction. `check` is called once no other connection can write it, before anything
    /// is copied.
    package func copy(over destination: Connection, check: () throws -> Void = {}) throws {
        destination.clearStatements()
        guard let backup = sqlite3_backup_init(destination.handle, "main", handle, "main") else {
            throw SQLiteError(
                sqlite3_errcode(destination.handle), of: destination.handle, sql: nil, database: destination.name)
        }
        func error(_ result: Int32) -> SQLiteError {
            SQLiteError(result, of: nil, sql: nil, database: destination.name)
        }
        var isFinished = false
        defer { if !isFinished { sqlite3_backup_finish(backup) } }
        // The first step locks the destination.
        var result = sqlite3_backup_step(backup, 0)
        guard result == SQLITE_OK || result == SQLITE_DONE else { throw error(result) }
        try check()
        repeat { result = sqlite3_backup_step(backup, -1) } while result == SQLITE_OK
        isFinished = true
        let end = sqlite3_backup_finish(backup)
        guard result == SQLITE_DONE, end == SQLITE_OK else { throw error(end == SQLITE_OK ? result : end) }
    }
}
