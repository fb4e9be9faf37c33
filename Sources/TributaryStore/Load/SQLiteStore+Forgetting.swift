package import TributarySQLite

extension SQLiteStore {
    /// Cleans up after unfinished imports into an entity: drops possible duplicates, and removes loads.
    ///
    /// A dropped table is created again; if its columns are inferred, its entity is removed from the model instead.
    package func forgetImports(into entity: Entity, on connection: Connection) throws {
        let table = entity.root.name
        try PossibleDuplicatesTable.deleteRows(table: table, on: connection)
        let exists = try connection.hasTable(table)
        try LoadFiles.remove(besides: name, on: connection) { $0.table == table }
        guard !exists else { return }
        // A renamed table kept its indexes, whose names the new table needs.
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
