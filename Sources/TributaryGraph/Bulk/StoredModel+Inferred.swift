package import TributarySQLite

/// Entities with inferred attributes.
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

    /// Gives a table that was imported without a key a key, which its rows must allow.
    ///
    /// - Throws: `StoreError` if they do not, `SQLiteError`, `ModelError`.
    package static func addKey(_ key: [String], to name: String, on connection: Connection) throws {
        guard var model = try read(on: connection),
            let place = model.entities.firstIndex(where: { $0.name == name }),
            model.entities[place].uniquenessConstraints.isEmpty
        else { throw ModelError(["another program has changed \(name) meanwhile; open the store again"]) }
        if let load = try LoadRow.all(on: connection).first(where: { $0.table == name && $0.isPending }) {
            throw ModelError(["run \(load.run) is loading \(name) without a key; finish it, or forget that run"])
        }
        func refuse(_ reason: String) -> StoreError {
            StoreError(
                .incompatibleModel, connection.name,
                "\(name) cannot get the key \(key.joined(separator: ",")): \(reason)",
                hint: "name other columns, or import into another table")
        }
        let columns = model.entities[place].attributes.map(\.name)
        for column in key {
            guard columns.contains(column) else {
                throw refuse("it has no column \(column), but \(columns.prefix(5).joined(separator: ", "))")
            }
            let missing = try connection.value(
                of: "SELECT COUNT(*) FROM \(identifier: name) WHERE \(identifier: column) IS NULL")
            guard case .integer(0) = missing else { throw refuse("rows have no \(column)") }
        }
        model.entities[place].uniquenessConstraints = [key]
        let resolved = try Model(model)
        var single = ModelDescription([model.entities[place]])
        single.userInfo = model.userInfo
        do {
            for statement in try Schema(Model(single)).creation().dropFirst(3) { try connection.execute(statement) }
        } catch let error as SQLiteError where error.code == .uniqueConstraint {
            throw refuse("several rows have the same value")
        }
        try replace(with: resolved, on: connection)
    }

    /// An entity with inferred attributes.
    package static func inferred(_ name: String, columns: [String], key: [String]) -> EntityDescription {
        var entity = EntityDescription(name)
        entity.attributes = columns.map { .inferred($0) }
        if !key.isEmpty { entity.uniquenessConstraints = [key] }
        return entity
    }
}
