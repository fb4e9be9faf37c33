package import TributarySQLite

/// The model that a store was made for, kept in the store itself, so that it can be opened without the file or the classes
/// that the model came from.
package enum StoredModel {
    /// The key under which it stands among what the database tells of itself.
    static let key = "model"

    /// What the model states; nil if the database is empty or was made before models were kept.
    ///
    /// - Throws: `StoreError` if the database is not ours, `ModelError` if the model is damaged, `SQLiteError`.
    package static func read(on connection: Connection) throws -> ModelDescription? {
        guard try StoreIdentity(of: connection) != nil else { return nil }
        let value = try connection.value(
            of: "SELECT \"value\" FROM \(identifier: Schema.metadata) WHERE \"key\" = \(key)")
        guard case .text(let text) = value else { return nil }
        return try ModelReader.read(Array(text.utf8), file: "\(connection.name) (its own model)")
    }

    /// Writes what a model states, in the place of what stands there.
    ///
    /// - Throws: `SQLiteError`.
    package static func write(_ model: ModelDescription, on connection: Connection) throws {
        try connection.execute(
            """
            INSERT INTO \(identifier: Schema.metadata) ("key", "value") VALUES (\(key), \(ModelWriter.write(model)))
            ON CONFLICT ("key") DO UPDATE SET "value" = excluded."value"
            """)
    }

    /// Makes the database one of another model, whose tables are there: its entities and itself.
    ///
    /// - Throws: `SQLiteError`.
    package static func replace(with model: Model, configuration: String? = nil, on connection: Connection) throws {
        try connection.execute("DELETE FROM \(identifier: Schema.metadata) WHERE \"key\" LIKE 'entity %'")
        for (entity, hash) in StoreIdentity(model, configuration: configuration).hashes.sorted(by: { $0.key < $1.key })
        {
            try connection.execute(
                "INSERT INTO \(identifier: Schema.metadata) (\"key\", \"value\") VALUES (\("entity \(entity)"), \(hash))"
            )
        }
        try write(model.declaration, on: connection)
    }
}
