package import TributaryImport

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

    /// Opens the database at `path` for an import of `sources`, and creates it if it does not exist.
    ///
    /// - Throws: `StoreError`, `ModelError`, `ImportError` or `SQLiteError` if the database cannot be opened.
    func open(_ path: String, for sources: [any ByteSource], _ settings: Settings) throws -> RowDatabase {
        let options = settings.options
        let creation: StoreOptions.Creation = options.loadsDirectly(sources) ? .afterFirstImport : .whenOpened
        if let relations = settings.relations {
            return try RowDatabase(relations, at: path, isDryRun: options.isDryRun)
        }
        if isForeign { return try RowDatabase(tablesAt: path) }
        guard let model else { return try RowDatabase(inferring: tables, at: path, creation: creation) }
        var opening = StoreOptions()
        opening.lockTimeout = ImportOptions.lockTimeout
        // A command changes tables only where it says so.
        opening.migration.isAutomatic = false
        opening.creation = creation
        return try RowDatabase(model, at: .sqlite(path), options: opening)
    }

    /// Throws what refuses the import before a record is read, while the database is neither made nor changed.
    func check(
        _ sources: [any ByteSource], _ routes: [ImportRoute], into path: String, _ settings: Settings
    ) throws {
        guard !isForeign else { return try routes.forEach { try $0.check(in: path, settings.options) } }
        let database =
            try settings.relations.map { try RowDatabase(rehearsing: $0) }
            ?? model.map { try RowDatabase($0, at: .memory) }
            ?? RowDatabase(rehearsing: tables, at: path)
        try StoreImport(into: database, from: sources, routes: routes, options: settings.options).check()
    }

    /// The tables of records with their keys.
    package var tables: [(entity: String, key: ImportKey?)] {
        places.isEmpty ? [(entity, key)] : places.map { ($0.entity, $0.key) }
    }

    /// The routes of the records.
    func routes(at recordPath: RecordPath?, _ settings: Settings) -> [ImportRoute] {
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
