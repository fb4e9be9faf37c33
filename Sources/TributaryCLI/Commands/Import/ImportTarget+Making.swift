package import TributaryImport

/// Making the import into a target.
extension ImportTarget {
    /// Opens the database at `path` for an import of `sources`, and creates it if it does not exist.
    func open(_ path: String, for sources: [any ByteSource], _ options: ImportOptions) throws -> RowDatabase {
        let creation: StoreOptions.Creation = options.loadsDirectly(sources) ? .afterFirstImport : .whenOpened
        if let relations {
            return try RowDatabase(relations, at: path, isDryRun: options.isDryRun, creation: creation)
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
        _ sources: [any ByteSource], _ routes: [ImportRoute], into path: String, _ options: ImportOptions
    ) throws {
        guard !isForeign else { return try routes.forEach { try $0.check(in: path, options) } }
        let database =
            try relations.map { try RowDatabase(rehearsing: $0) }
            ?? model.map { try RowDatabase($0, at: .memory) }
            ?? RowDatabase(rehearsing: tables, at: path)
        try StoreImport(into: database, from: sources, routes: routes, options: options).check()
    }

    /// The tables of records with their keys.
    package var tables: [(entity: String, key: ImportKey?)] {
        if let routing { return routing.branches.map { ($0.entity, $0.key) } }
        return places.isEmpty ? [(entity, key)] : places.map { ($0.entity, $0.key) }
    }

    /// The routes of the records.
    func routes(of command: ImportCommand) -> [ImportRoute] {
        let routes = unfilteredRoutes(of: command)
        return command.filter.map { filter in routes.map { $0.filtered(by: filter) } } ?? routes
    }

    private func unfilteredRoutes(of command: ImportCommand) -> [ImportRoute] {
        if let relations { return [relations.route(at: command.path)] }
        if isForeign { return [.table(entity, at: command.path, key: key, command.existing)] }
        func route(_ path: RecordPath?, _ entity: String, _ key: ImportKey?) -> ImportRoute {
            if model == nil { return .inferred(entity, at: path, key: key, command.inference) }
            // Without a key each record is a new row.
            return key.map { .rows(entity, at: path, key: $0) } ?? .newRows(entity, at: path)
        }
        if let routing {
            return routing.branches.map { branch in
                let route = route(command.path, branch.entity, branch.key)
                return branch.value.map { route.when(routing.member, is: $0) } ?? route
            }
        }
        return places.isEmpty ? [route(command.path, entity, key)] : places.map { route($0.path, $0.entity, $0.key) }
    }
}
