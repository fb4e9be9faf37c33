import TributarySQLite

extension SQLiteStore {
    /// Closes the store, and ends its write-ahead log if no other connection is open.
    ///
    /// A database without a log can be read where nothing can be written. One of another program keeps its mode.
    package func closeWithoutLog() {
        close()
        guard !isForeignDatabase, StoreFiles.exists(name),
            let connection = try? Connection(.file(name), options: SQLiteStore.impatient)
        else { return }
        // Another connection keeps the log, which does no harm.
        _ = try? connection.value(of: "PRAGMA journal_mode = DELETE")
    }

    private static var impatient: Connection.Options {
        var options = Connection.Options()
        options.busyTimeout = 0
        return options
    }
}
