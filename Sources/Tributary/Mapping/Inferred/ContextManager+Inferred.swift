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
    /// The database and the table are created if they do not exist. While the table has no rows, its key can change;
    /// a table that was imported without a key gets one if its rows allow it.
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
        try self.init(inferring: [(entity, key)], at: path, creation: creation)
    }

    /// A manager of a database with several tables of inferred columns.
    ///
    /// - Throws: As `init(inferring:key:at:creation:)`.
    public convenience init(
        inferring tables: [(entity: String, key: ImportKey?)], at path: String,
        creation: StoreOptions.Creation = .whenOpened
    ) throws {
        let model = try ContextManager.inferredModel(path, tables)
        var opening = StoreOptions()
        // Columns are added by the import, and not by a model that was read before.
        opening.migration.isAutomatic = false
        opening.cacheKiB = 16 << 10
        opening.creation = creation
        opening.lockTimeout = ImportOptions.lockTimeout
        try self.init(model: model, store: .sqlite(path), options: opening)
    }

    /// A manager of an empty store in memory with the tables that an import would find or make in the database at a path.
    ///
    /// - Throws: `ModelError`, `StoreError`, `SQLiteError`.
    package convenience init(rehearsing tables: [(entity: String, key: ImportKey?)], at path: String) throws {
        var model = try StoredModel.read(at: path) ?? ModelDescription([])
        model.isInferred = true
        for (entity, key) in tables {
            let names = key?.parts.map(\.attribute) ?? []
            let known = model.entities.firstIndex { $0.name == entity }
            if let known, model.entities[known].uniquenessConstraints == (names.isEmpty ? [] : [names]) { continue }
            if let known { model.entities.remove(at: known) }
            model.entities.append(StoredModel.inferred(entity, columns: names, key: names))
        }
        try self.init(model: Model(model), store: .memory)
    }

    /// The model of the database, to which the entities are added.
    private static func inferredModel(
        _ path: String, _ tables: [(entity: String, key: ImportKey?)]
    ) throws -> Model {
        for (_, key) in tables {
            try key?.checkLength()
            guard !(key?.parts.contains { $0.attribute == InferredColumns.rest } ?? false) else {
                throw ImportError(
                    .route, "\(InferredColumns.rest) cannot be a part of the key: it holds the values without a column",
                    hint: "name another key")
            }
        }
        guard let stored = try StoredModel.read(at: path) else {
            var model = ModelDescription(
                tables.map { entity, key in
                    let names = key?.parts.map(\.attribute) ?? []
                    return StoredModel.inferred(entity, columns: names, key: names)
                })
            model.isInferred = true
            return try Model(model)
        }
        return try tables.reduce(Model(stored)) { model, table in
            try inferredModel(path, model.declaration, table.entity, table.key?.parts.map(\.attribute) ?? [])
        }
    }

    /// The model of an existing database, to which an entity is added.
    private static func inferredModel(
        _ path: String, _ stored: ModelDescription, _ entity: String, _ names: [String]
    ) throws -> Model {
        guard stored.isInferred else {
            throw ImportError(
                .route, "\(path) has a model, whose columns are not inferred from data",
                hint: "import into one of its entities, or into another file")
        }
        if let known = stored.entities.first(where: { $0.name == entity }) {
            if known.uniquenessConstraints == (names.isEmpty ? [] : [names]) { return try Model(stored) }
            if try !(StoreInspection.read(path, { try GrowingTable.isEmpty(entity, on: $0) }) ?? false) {
                guard known.uniquenessConstraints.isEmpty else {
                    throw ImportError.otherKey(known.uniquenessConstraints.first, names, of: entity, in: path)
                }
                return try changing(path, stored) { try StoredModel.addKey(names, to: entity, on: $0) }
            }
        }
        return try changing(path, stored) {
            try StoredModel.addInferred(entity, columns: names, key: names, on: $0)
        }
    }

    /// Changes the stored model of inferred columns; returns the new one.
    private static func changing(
        _ path: String, _ stored: ModelDescription, _ body: (Connection) throws -> Void
    ) throws -> Model {
        let store = try SQLiteStore(stored: stored, at: path)
        defer { store.close() }
        try store.importing { connection in try connection.transaction { try body(connection) } }
        let grown = try StoredModel.read(at: path)
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
        let stored = try StoredModel.read(at: path)
        var opening = StoreOptions()
        // Columns are added by the import, and not by a model that was read before.
        opening.migration.isAutomatic = false
        opening.lockTimeout = ImportOptions.lockTimeout
        try self.init(model: Model(stored ?? empty), store: .sqlite(path), options: opening)
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
