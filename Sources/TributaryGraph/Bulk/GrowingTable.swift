package import TributarySQLite

/// A table with inferred columns: a column is added to it and to the stored model in the transaction of the first row
/// that needs the column.
package struct GrowingTable: Sendable {
    /// The entity's name.
    package let name: String
    /// The columns of the key.
    package let key: [String]
    /// The columns of the table.
    package private(set) var columns: [String]

    /// The table of an entity of a store with an inferred model.
    package init(_ entity: Entity, key: [String]) {
        name = entity.name
        self.key = key
        columns = entity.attributes.map(\.name)
    }

    /// The table with the columns `names`, to write rows into.
    package func table(_ entity: Entity, _ names: [String]) -> BulkTable {
        BulkTable(entity, inferred: names, key: key)
    }

    /// Whether the table of an entity has no rows.
    ///
    /// - Throws: `SQLiteError`.
    package static func isEmpty(_ name: String, on connection: Connection) throws -> Bool {
        try !connection.hasRows("SELECT 1 FROM \(identifier: name) LIMIT 1")
    }

    /// Adds the columns that the table does not have yet.
    ///
    /// - Throws: `SQLiteError`, `ModelError`.
    package mutating func grow(to names: [String], json: String, on connection: Connection) throws {
        let missing = names[columns.count...]
        guard !missing.isEmpty else { return }
        guard var model = try StoredModel.read(on: connection),
            let place = model.entities.firstIndex(where: { $0.name == name })
        else { fatalError("internal error: a store with inferred columns has no model of \(name)") }
        for column in missing {
            let isJSON = column == json
            let attribute = AttributeDescription(column, isJSON ? .json : .undefined)
            model.entities[place].attributes.append(attribute)
            let type = SQLFragment(trusted: attribute.type.storage.rawValue)
            try connection.execute(
                "ALTER TABLE \(identifier: name) ADD COLUMN \(identifier: column) \(type)")
        }
        try StoredModel.replace(with: Model(model), on: connection)
        columns = names
        connection.clearStatements()
    }
}

extension StoredModel {
    /// Adds an entity with inferred attributes, and its table with a unique index of the key.
    ///
    /// Replaces an existing entity of this name if it has no rows.
    ///
    /// - Throws: `SQLiteError`, `ModelError`.
    package static func addInferred(_ name: String, columns: [String], key: [String], on connection: Connection) throws
    {
        var model = try read(on: connection) ?? ModelDescription()
        model.isInferred = true
        if let place = model.entities.firstIndex(where: { $0.name == name }) {
            guard try GrowingTable.isEmpty(name, on: connection) else {
                throw ModelError(["another program has added rows to \(name) meanwhile; open the store again"])
            }
            model.entities.remove(at: place)
            if let load = try LoadRow.all(on: connection).first(where: { $0.table == name }) {
                throw ModelError(["run \(load.run) is loading \(name) with another key; finish it, or forget that run"])
            }
            try connection.execute("DROP TABLE \(identifier: name)")
        }
        model.entities.append(inferred(name, columns: columns, key: key))
        let resolved = try Model(model)
        guard let entity = resolved[name] else { fatalError("internal error: the model has no entity \(name)") }
        var single = ModelDescription([entity.declaration])
        single.userInfo = model.userInfo
        for statement in try Schema(Model(single)).creation().dropFirst(2) {
            try connection.execute(statement)
        }
        try replace(with: resolved, on: connection)
    }

    /// An entity with inferred attributes.
    package static func inferred(_ name: String, columns: [String], key: [String]) -> EntityDescription {
        var entity = EntityDescription(name)
        entity.attributes = columns.map { AttributeDescription($0, .undefined) }
        if !key.isEmpty { entity.uniquenessConstraints = [key] }
        return entity
    }
}
