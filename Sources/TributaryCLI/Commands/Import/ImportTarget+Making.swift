package import Tributary

/// Making the import into a target.
extension ImportTarget {
    /// The settings of an import beside its target.
    package struct Settings {
        package var options = ImportOptions()
        package var inference = ColumnInference()
        package var existing = ExistingTable()
        /// The tables of nested objects; nil if there are none.
        package var relations: DiscoveredRelations?

        package init() {}
    }

    /// The import of `sources` into the database at `path`, which is created if it does not exist.
    ///
    /// - Throws: `StoreError`, `ModelError`, `ImportError` or `SQLiteError` if the database cannot be opened.
    package func makeImport(
        from sources: [any ByteSource], at recordPath: RecordPath?, into path: String, _ settings: Settings
    ) throws -> StreamImport {
        let options = settings.options
        let creation: StoreOptions.Creation = options.loadsDirectly(sources) ? .afterFirstImport : .whenOpened
        let manager: ContextManager
        if let relations = settings.relations {
            manager = try ContextManager(relations, at: path, isDryRun: options.isDryRun)
        } else if isForeign {
            manager = try ContextManager(tablesAt: path)
        } else if let model {
            var opening = StoreOptions()
            opening.lockTimeout = ImportOptions.lockTimeout
            // A command changes tables only where it says so.
            opening.migration.isAutomatic = false
            opening.creation = creation
            manager = try ContextManager(model: model, store: .sqlite(path), options: opening)
        } else {
            manager = try ContextManager(inferring: tables, at: path, creation: creation)
        }
        return StreamImport(into: manager, from: sources, routes: routes(at: recordPath, settings), options: options)
    }

    /// Throws what refuses the import before a record is read, while the database is neither made nor changed.
    package func check(
        _ sources: [any ByteSource], at recordPath: RecordPath?, into path: String, _ settings: Settings
    ) throws {
        let routes = routes(at: recordPath, settings)
        guard !isForeign else { return try routes.forEach { try $0.check(in: path, settings.options) } }
        let manager =
            try settings.relations.map { try ContextManager(rehearsing: $0) }
            ?? model.map { try ContextManager(model: $0, store: .memory) }
            ?? ContextManager(rehearsing: tables, at: path)
        // Commands run on the main thread.
        defer { MainActor.assumeIsolated { manager.close() } }
        try StreamImport(into: manager, from: sources, routes: routes, options: settings.options).check()
    }

    /// The tables of records with their keys.
    package var tables: [(entity: String, key: ImportKey?)] {
        places.isEmpty ? [(entity, key)] : places.map { ($0.entity, $0.key) }
    }

    private func routes(at recordPath: RecordPath?, _ settings: Settings) -> [ImportRoute] {
        if let relations = settings.relations { return [relations.route(at: recordPath)] }
        if isForeign { return [.table(entity, at: recordPath, key: key, settings.existing)] }
        let places = places.isEmpty ? [(recordPath, entity, key)] : places.map { ($0.path, $0.entity, $0.key) }
        return places.map { path, entity, key in
            model == nil
                ? .inferred(entity, at: path, key: key, settings.inference) : ImportTarget.rows(entity, path, key)
        }
    }

    /// A route of rows; without a key each record is a new one.
    static func rows(_ entity: String, _ path: RecordPath?, _ key: ImportKey?) -> ImportRoute {
        key.map { .rows(entity, at: path, key: $0) } ?? .newRows(entity, at: path)
    }
}
