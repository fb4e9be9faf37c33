import Foundation
public import TributaryGraph
import TributarySQLite

extension ContextManager {
    /// A manager of a database with inferred columns, for imports with ``ImportRoute/inferred(_:at:key:)``.
    ///
    ///     let manager = try ContextManager(inferring: "users", key: ["id"], at: "dump.sqlite")
    ///     let feed = StreamImport(
    ///         into: manager, from: [.file("users.json")], routes: [.inferred("users", key: ["id"])])
    ///
    /// The database and the table are created if they do not exist. While the table has no rows, its key can change.
    ///
    /// - Parameters:
    ///   - entity: The name of the table.
    ///   - key: The attributes that identify a record; nil if each record inserts a new row.
    ///   - path: The path of the database.
    ///   - creation: When a database that does not exist gets its name.
    /// - Throws: `ImportError` if a model defines the columns or the table has another key, `StoreError`, `ModelError`,
    ///   `SQLiteError`.
    public convenience init(
        inferring entity: String, key: ImportKey? = nil, at path: String,
        creation: StoreOptions.Creation = .whenOpened
    ) throws {
        let model = try ContextManager.inferredModel(path, entity, key)
        var opening = StoreOptions()
        opening.cacheKiB = 16 << 10
        opening.creation = creation
        try self.init(model: model, store: .sqlite(path), options: opening)
    }

    /// The model of the database, to which the entity is added.
    private static func inferredModel(_ path: String, _ entity: String, _ key: ImportKey?) throws -> Model {
        try key?.checkLength()
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

extension ContextManager {
    /// A manager of a database of another program, for imports with ``ImportRoute/table(_:at:key:_:)``.
    ///
    /// The tables of this library, whose names begin with an underscore, are created beside the others.
    ///
    /// - Throws: `StoreError`, `ModelError`, `SQLiteError`.
    public convenience init(tablesAt path: String) throws {
        var empty = ModelDescription([])
        empty.isInferred = true
        let stored = try StoreInspection.read(path) { try StoredModel.read(on: $0) } ?? nil
        try self.init(model: Model(stored ?? empty), store: .sqlite(path))
    }
}

extension ImportError {
    /// The error of an import whose key differs from that of its table with inferred columns.
    static func otherKey(_ known: [String]?, _ wanted: [String], of entity: String, in store: String) -> ImportError {
        func text(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ",") }
        return ImportError(
            .route, "the key of \(entity) in \(store) is \(text(known ?? [])), not \(text(wanted))",
            hint: "use the same key, or another entity")
    }
}
