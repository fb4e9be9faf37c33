package import TributarySQLite

extension SQLiteStore {
    /// Drops what imports have left unfinished for an entity; if its table is gone, makes it again, or forgets an entity whose
    /// columns are inferred.
    ///
    /// - Throws: `SQLiteError`, `ModelError`.
    package func forgetImports(into entity: Entity, on connection: Connection) throws {
        let table = entity.root.name
        try PossibleDuplicatesTable.forget(table: table, on: connection)
        let exists = try connection.hasRows(
            "SELECT 1 FROM sqlite_master WHERE \"type\" = 'table' AND \"name\" = \(table)")
        guard !exists else { return try DeferredIndexes.make(of: table, on: connection) }
        try DeferredIndexes.forget(of: table, on: connection)
        // A table that was renamed has kept its indexes, whose names are wanted again.
        for index in schema.indexNames(of: entity) {
            try connection.execute("DROP INDEX IF EXISTS \(identifier: index)")
        }
        if var stored = try StoredModel.read(on: connection), stored.isInferred {
            stored.entities.removeAll { $0.name == entity.name }
            try StoredModel.replace(with: Model(stored), on: connection)
        } else {
            for statement in schema.restoration() { try connection.execute(statement) }
        }
        connection.clearStatements()
    }
}
