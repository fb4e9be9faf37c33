package import TributarySQLite

/// The model of a store, saved in the store itself, so that the store can be opened without the model file or the
/// classes.
package enum StoredModel {
    /// The key of the model in the table of the identity.
    static let key = "model"

    /// The description of the model; nil if the database is empty or older than saved models.
    package static func read(on connection: Connection) throws -> ModelDescription? {
        guard try StoreIdentity(of: connection) != nil else { return nil }
        guard let text = try MetadataTable.value(of: key, on: connection) else { return nil }
        return try ModelReader.read(Array(text.utf8), file: "\(connection.name) (its saved model)")
    }

    /// The description of the model of the database at `path`; nil if there is no database, or it has none.
    package static func read(at path: String) throws -> ModelDescription? {
        try StoreInspection.read(path) { try read(on: $0) } ?? nil
    }

    /// Saves the description of a model, and replaces the previous one.
    package static func write(_ model: ModelDescription, on connection: Connection) throws {
        try MetadataTable.set(key, to: ModelWriter.write(model), on: connection)
    }

    /// Replaces the saved model and its version hashes; the tables of the new model must exist.
    package static func replace(
        with model: Model, configuration: String? = nil, on connection: Connection
    ) throws {
        for (entity, _) in try MetadataTable.values(withPrefix: "entity ", on: connection) {
            try MetadataTable.remove("entity \(entity)", on: connection)
        }
        for (entity, hash) in StoreIdentity(model, configuration: configuration).hashes {
            try MetadataTable.set("entity \(entity)", to: hash, on: connection)
        }
        try write(model.declaration, on: connection)
    }
}
