package import TributarySQLite

/// The model of a store, saved in the store itself, so that the store can be opened without the model file or the
/// classes.
package enum StoredModel {
    /// The key of the model in the table of the identity.
    static let key = "model"

    /// The description of the model; nil if the database is empty or older than saved models.
    ///
    /// - Throws: `StoreError` if the database is not a store, `ModelError` if the model is damaged, `SQLiteError`.
    package static func read(on connection: Connection) throws -> ModelDescription? {
        guard try StoreIdentity(of: connection) != nil else { return nil }
        let value = try connection.value(
            of: "SELECT \"value\" FROM \(identifier: Schema.metadata) WHERE \"key\" = \(key)")
        guard case .text(let text) = value else { return nil }
        return try ModelReader.read(Array(text.utf8), file: "\(connection.name) (its saved model)")
    }

    /// Saves the description of a model, and replaces the previous one.
    ///
    /// - Throws: `SQLiteError`.
    package static func write(_ model: ModelDescription, on connection: Connection) throws {
        try connection.execute(
            """
            INSERT INTO \(identifier: Schema.metadata) ("key", "value") VALUES (\(key), \(ModelWriter.write(model)))
            ON CONFLICT ("key") DO UPDATE SET "value" = excluded."value"
            """)
    }

    /// Replaces the saved model and its version hashes; the tables of the new model must exist.
    ///
    /// - Throws: `SQLiteError`.
    package static func replace(with model: Model, on connection: Connection) throws {
        try connection.execute("DELETE FROM \(identifier: Schema.metadata) WHERE \"key\" LIKE 'entity %'")
        for (entity, hash) in StoreIdentity(model, configuration: nil).hashes.sorted(by: { $0.key < $1.key }) {
            try connection.execute(
                "INSERT INTO \(identifier: Schema.metadata) (\"key\", \"value\") VALUES (\("entity \(entity)"), \(hash))"
            )
        }
        try write(model.declaration, on: connection)
    }
}
