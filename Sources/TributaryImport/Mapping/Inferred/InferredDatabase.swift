package import TributaryStore
import TributarySQLite

/// The models of databases whose columns are inferred, and how these are opened.
package enum InferredDatabase {
    /// The options with which a database is opened whose model the imports themselves change.
    package static func options(_ creation: StoreOptions.Creation) -> StoreOptions {
        var opening = tableOptions
        opening.creation = creation
        opening.cacheKiB = 16 << 10
        return opening
    }

    /// The options with which a database of another program, or of discovered relations, is opened.
    package static var tableOptions: StoreOptions {
        var opening = StoreOptions()
        // Columns are added by the import, and not by a model that was read before.
        opening.migration.isAutomatic = false
        opening.lockTimeout = ImportOptions.lockTimeout
        return opening
    }

    /// The model with the tables that an import would find or make in the database at a path.
    package static func rehearsal(of tables: [(entity: String, key: ImportKey?)], at path: String) throws -> Model {
        var model = try StoredModel.read(at: path) ?? ModelDescription([])
        model.isInferred = true
        for (entity, key) in tables {
            let names = key?.parts.map(\.attribute) ?? []
            let known = model.entities.firstIndex { $0.name == entity }
            if let known, model.entities[known].uniquenessConstraints == (names.isEmpty ? [] : [names]) { continue }
            if let known { model.entities.remove(at: known) }
            model.entities.append(StoredModel.inferred(entity, columns: names, key: names))
        }
        return try Model(model)
    }

    /// The model of the database at a path, to which the tables are added; that of a new database if there is none.
    package static func model(_ path: String, _ tables: [(entity: String, key: ImportKey?)]) throws -> Model {
        for (_, key) in tables {
            try key?.checkLength()
            guard !(key?.parts.contains { $0.attribute == InferredColumns.rest } ?? false) else {
                throw ImportError(
                    .route, "\(InferredColumns.rest) cannot be a part of the key: it holds the values without a column",
                    hint: "name another key")
            }
        }
        guard let stored = try StoredModel.read(at: path) else { return try rehearsal(of: tables, at: path) }
        return try tables.reduce(Model(stored)) { model, table in
            try InferredDatabase.model(path, model.declaration, table.entity, table.key?.parts.map(\.attribute) ?? [])
        }
    }

    /// The model of an existing database, to which an entity is added.
    private static func model(
        _ path: String, _ stored: ModelDescription, _ entity: String, _ names: [String]
    ) throws -> Model {
        guard stored.isInferred else {
            throw ImportError(
                .route, "\(path) has a model, whose columns are not inferred from data",
                hint: "import into one of its entities, or into another file")
        }
        if let known = stored.entities.first(where: { $0.name == entity }) {
            if known.uniquenessConstraints == (names.isEmpty ? [] : [names]) { return try Model(stored) }
            if try !(StoreInspection.read(path, { try TableRows.isEmpty(entity, on: $0) }) ?? false) {
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

    /// The model of a database of another program; an empty one if it has none.
    package static func model(ofTablesAt path: String) throws -> Model {
        try StoredModel.read(at: path).map { try Model($0) } ?? rehearsal(of: [], at: path)
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
