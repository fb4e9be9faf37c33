package import TributarySQLite

/// Deletes objects that cannot be without the owner that they have lost.
package enum OrphanDeletion {
    /// Deletes rows of an entity, and what the rules of the model say about others.
    ///
    /// - Throws: `FetchError` if a rule forbids it, `SQLiteError`.
    package static func delete(
        _ keys: [Int64], of entity: Entity, _ schema: Schema, on connection: Connection
    ) throws {
        let compiler = FetchCompiler(schema: schema, model: schema.model)
        var deletion = try BatchDeletion(compiler, on: connection)
        try deletion.mark(.query(for: keys), of: entity)
        _ = try deletion.run()
    }
}
