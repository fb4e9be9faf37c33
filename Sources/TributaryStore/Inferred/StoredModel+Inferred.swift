package import TributarySQLite

/// Entities with inferred attributes.
extension StoredModel {
    /// Adds an entity with inferred attributes, and its table with a unique index of the key.
    ///
    /// Replaces an existing entity of this name if it has no rows.
    package static func addInferred(_ name: String, columns: [String], key: [String], on connection: Connection) throws
    {
        var model = try read(on: connection) ?? ModelDescription()
        model.isInferred = true
        if let place = model.entities.firstIndex(where: { $0.name == name }) {
            guard try TableRows.isEmpty(name, on: connection) else {
                throw ModelError(["another program has added rows to \(name) meanwhile; open the store again"])
            }
            model.entities.remove(at: place)
            if let load = try LoadRow.all(on: connection).first(where: { $0.table == name }) {
                throw ModelError(["run \(load.run) is loading \(name) with another key; finish it, or forget that run"])
            }
            // Its columns are not known before the next rows.
            for index in try SearchIndex.all(isOwn: true, on: connection) where index.table == name {
                try index.drop(on: connection)
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
    package static func addKey(_ key: [String], to name: String, on connection: Connection) throws {
        guard var model = try read(on: connection),
            let place = model.entities.firstIndex(where: { $0.name == name }),
            model.entities[place].uniquenessConstraints.isEmpty
        else { throw ModelError(["another program has changed \(name) meanwhile; open the store again"]) }
        let columns = model.entities[place].attributes.map(\.name)
        if let column = key.first(where: { !columns.contains($0) }) {
            throw refusal(
                of: key, in: name, "it has no column \(column), but \(columns.prefix(5).joined(separator: ", "))",
                connection)
        }
        try checkRows(of: name, allowKey: key, on: connection)
        model.entities[place].uniquenessConstraints = [key]
        let resolved = try Model(model)
        var single = ModelDescription([model.entities[place]])
        single.userInfo = model.userInfo
        for statement in try Schema(Model(single)).creation().dropFirst(3) { try connection.execute(statement) }
        try replace(with: resolved, on: connection)
    }

    /// Throws unless the rows of a table without a key have different values of its future key.
    static func checkRows(of name: String, allowKey key: [String], on connection: Connection) throws {
        if let load = try LoadRow.all(on: connection).first(where: { $0.table == name && $0.isPending }) {
            throw ModelError(["run \(load.run) is loading \(name) without a key; finish it, or forget that run"])
        }
        for column in key {
            let hasNull = try connection.hasRows(
                "SELECT 1 FROM \(identifier: name) WHERE \(identifier: column) IS NULL LIMIT 1")
            if hasNull { throw refusal(of: key, in: name, "rows have no \(column)", connection) }
        }
        let columns: [SQLFragment] = key.map { "\(identifier: $0)" }
        let isRepeated = try connection.hasRows(
            "SELECT 1 FROM \(identifier: name) GROUP BY \(columns) HAVING COUNT(*) > 1 LIMIT 1")
        if isRepeated { throw refusal(of: key, in: name, "several rows have the same value", connection) }
    }

    private static func refusal(
        of key: [String], in name: String, _ reason: String, _ connection: Connection
    ) -> StoreError {
        StoreError(
            .incompatibleModel, connection.name,
            "\(name) cannot get the key \(key.joined(separator: ",")): \(reason)",
            hint: "name other columns, or import into another table")
    }

    /// An entity with inferred attributes.
    package static func inferred(_ name: String, columns: [String], key: [String]) -> EntityDescription {
        var entity = EntityDescription(name)
        entity.attributes = columns.map { .inferred($0) }
        if !key.isEmpty { entity.uniquenessConstraints = [key] }
        return entity
    }
}
