import TributarySQLite

/// The tables of this library in a database of another program.
extension Schema {
    /// The names of the tables that a database may have besides those of entities and joins.
    private static let ownTables = [
        MetadataTable.name, counters, RunTable.name, RejectTable.name, MarkTable.name, PossibleDuplicatesTable.name,
    ]

    /// Throws if another program has a table, view or index with one of the names of this schema.
    func checkNames(on connection: Connection) throws {
        let names = Schema.ownTables + tables.map(\.name) + joins.map(\.name) + model.entities.flatMap(indexNames)
        for name in names {
            let kind = try connection.value(
                of: "SELECT \"type\" FROM sqlite_master WHERE \"name\" = \(name) COLLATE NOCASE")
            guard case .text(let kind)? = kind else { continue }
            throw StoreError(
                .foreign, connection.name, "another program has made a \(kind) with the name \(name)",
                hint: "choose another name or another file; it was not changed")
        }
    }

    /// Drops the tables of this library, and leaves those of other programs.
    ///
    /// - Throws: `SQLiteError`, and `ModelError` if the stored model, which names them, cannot be read.
    static func dropAll(on connection: Connection) throws {
        let model = try StoredModel.read(on: connection).map { try Model($0) }
        try connection.execute("PRAGMA foreign_keys = OFF")
        try connection.transaction {
            let schema = model.map { Schema($0) }
            let tables = schema?.tables.map(\.name) ?? []
            for index in try SearchIndex.all(isOwn: true, on: connection) where tables.contains(index.table) {
                try index.drop(on: connection)
            }
            let names = (schema?.joins.map(\.name) ?? []) + tables + ownTables
            for name in names { try connection.execute("DROP TABLE IF EXISTS \(identifier: name)") }
        }
    }
}
