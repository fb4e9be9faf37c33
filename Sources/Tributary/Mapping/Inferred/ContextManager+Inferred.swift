import Foundation
public import TributaryGraph
import TributarySQLite

extension ContextManager {
    /// A manager of a database whose columns are inferred from the data, as ``ImportRoute/inferred(_:at:key:)`` fills it.
    ///
    ///     let manager = try ContextManager(inferring: "users", key: ["id"], at: "dump.sqlite")
    ///     let feed = StreamImport(
    ///         into: manager, from: [.file("users.json")], routes: [.inferred("users", key: ["id"])])
    ///
    /// The database is made if it does not exist, and gets the table if it has none of that name; a table without rows may
    /// still get another key.
    ///
    /// - Parameters:
    ///   - entity: The name of the table.
    ///   - key: What tells one record from another; nil if each record is a row of its own.
    ///   - path: The database.
    /// - Throws: `ImportError` if the database has a model of its own or the table another key, `StoreError`, `ModelError`,
    ///   `SQLiteError`.
    public convenience init(inferring entity: String, key: ImportKey? = nil, at path: String) throws {
        let model = try ContextManager.inferredModel(path, entity, key)
        var opening = StoreOptions()
        opening.cacheKiB = 16 << 10
        try self.init(model: model, store: .sqlite(path), options: opening)
    }

    /// The model of the database, to which the entity is added.
    private static func inferredModel(_ path: String, _ entity: String, _ key: ImportKey?) throws -> Model {
        try key?.demandSize()
        let names = key?.parts.map(\.attribute) ?? []
        guard !names.contains(InferredColumns.rest) else {
            throw ImportError(
                .route, "\(InferredColumns.rest) cannot be a part of the key: it holds the values without a column",
                hint: "name another key")
        }
        let stored = try StoreInspection.read(path) { try StoredModel.read(on: $0) } ?? nil
        guard let stored else {
            var model = ModelDescription([StoredModel.inferred(entity, columns: names, key: names)])
            model.isInferred = true
            return try Model(model)
        }
        guard stored.isInferred else {
            throw ImportError(
                .route, "\(path) has a model, whose columns are not inferred from data",
                hint: "import into one of its entities, or into another file")
        }
        if let known = stored.entities.first(where: { $0.name == entity }) {
            if known.uniquenessConstraints == (names.isEmpty ? [] : [names]) { return try Model(stored) }
            guard try StoreInspection.read(path, { try GrowingTable.isEmpty(entity, on: $0) }) ?? false else {
                throw ImportError.otherKey(known.uniquenessConstraints.first, names, of: entity, in: path)
            }
        }
        let store = try SQLiteStore(Model(stored), at: .sqlite(path))
        try store.importing { connection in
            try connection.transaction {
                try StoredModel.addInferred(entity, columns: names, key: names, on: connection)
            }
        }
        store.close()
        let grown = try StoreInspection.read(path) { try StoredModel.read(on: $0) } ?? nil
        return try Model(grown ?? stored)
    }
}

extension ImportError {
    /// A table with inferred columns has another key than an import.
    static func otherKey(_ known: [String]?, _ wanted: [String], of entity: String, in store: String) -> ImportError {
        func text(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ",") }
        return ImportError(
            .route, "the key of \(entity) in \(store) is \(text(known ?? [])), not \(text(wanted))",
            hint: "give the same key as before, or another entity")
    }
}
