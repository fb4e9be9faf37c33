import TributarySQLite

extension SQLiteStore {
    /// Migrates the database at `path` to a model, with all details that an opening would not change, such as indexes.
    ///
    /// - Parameters:
    ///   - path: The database.
    ///   - model: The model after the migration.
    ///   - options: Versions, steps, and what is allowed.
    ///   - lockTimeout: The seconds to wait for other programs.
    /// - Throws: `StoreError`, an error of a step or of the progress closure, or `SQLiteError`; then nothing is changed.
    package static func migrate(
        _ path: String, to model: Model, options: MigrationOptions, lockTimeout: Double
    ) throws {
        let stored = try StoreInspection.read(path) { try StoredModel.read(on: $0) } ?? nil
        guard let stored else { throw MigrationPlan.missing(path) }
        var opening = StoreOptions()
        opening.migration.isAutomatic = false
        opening.lockTimeout = lockTimeout
        let store = try SQLiteStore(Model(stored), at: .sqlite(path), options: opening)
        defer { store.closeWithoutLog() }
        try store.write { connection in
            try StoreMigration(connection: connection, configuration: nil, options: options).migrate(to: model)
        }
    }
}
