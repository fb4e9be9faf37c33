import TributarySQLite

extension SQLiteStore {
    /// Migrates the database at `path` to a model, with all details that an opening would not change, such as indexes.
    ///
    /// - Throws: `StoreError`, an error of a step or of the progress closure, or `SQLiteError`; then nothing is changed.
    package static func migrate(
        _ path: String, to model: Model, options: MigrationOptions, lockTimeout: Double
    ) throws {
        guard let stored = try StoredModel.read(at: path) else { throw MigrationPlan.missing(path) }
        let store = try SQLiteStore(stored: stored, at: path, lockTimeout: lockTimeout)
        defer { store.closeWithoutLog() }
        try store.write { connection in
            try StoreMigration(connection: connection, configuration: nil, options: options).migrate(to: model)
        }
    }

    /// Opens the database at `path` with the model that is saved in it, which another process may have changed since it
    /// was read: then it is refused, and not migrated back.
    package convenience init(stored: ModelDescription, at path: String, lockTimeout: Double? = nil) throws {
        var options = StoreOptions()
        options.migration.isAutomatic = false
        if let lockTimeout { options.lockTimeout = lockTimeout }
        try self.init(Model(stored), at: .sqlite(path), options: options)
    }

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
