import TributarySQLite

/// Deletes rows by the rules of the model, within a transaction.
///
///     1. what is found, and what cascades from it, wave by wave
///     2. is anything denied, now that all that goes is known
///     3. the rows go, and the pairs they stand in
///     4. what points at them is set to nothing
///
/// The number of statements depends on the model and on the depth of cascades, not on the number of rows.
struct BatchDeletion {
    let compiler: FetchCompiler
    let connection: Connection
    /// What goes, by the index of its entity.
    private var doomed: [Int: Set<Int64>] = [:]
    private var updated: Set<RowKey> = []

    init(_ compiler: FetchCompiler, on connection: Connection) {
        self.compiler = compiler
        self.connection = connection
    }

    mutating func run(_ delete: BatchDelete) throws -> BatchResult {
        var request = RowRequest(entity: delete.entityName, where: delete.filter)
        request.includesSubentities = delete.includesSubentities
        request.variables = delete.variables
        try collect(compiler.ids(request).keys(on: connection))
        let groups = doomed.sorted { $0.key < $1.key }.map { (compiler.model.entities[$0.key], $0.value.sorted()) }
        for (entity, keys) in groups { try check(entity, keys) }
        let bounded = try groups.flatMap { entity, keys in try boundedOwners(entity, keys) }
        for (entity, keys) in groups { try remove(entity, keys) }
        for (entity, keys) in groups { try nullify(entity, keys) }
        for (relationship, owners) in bounded { try check(relationship, owners) }
        let deleted = groups.flatMap { entity, keys in keys.map { RowKey(entity, $0) } }
        return BatchResult(updated: updated, deleted: deleted)
    }

    private func isDoomed(_ row: RowKey) -> Bool { doomed[row.entity.index]?.contains(row.key) ?? false }

    /// What is stored at the end of a relationship of some rows.
    private func ends(_ relationship: RelationshipProperty, _ keys: [Int64]) throws -> [RowKey] {
        try compiler.children(of: relationship, owners: keys, columns: .keys).keys(on: connection)
    }

    private func kept(_ entity: Entity) -> [RelationshipProperty] { entity.relationships.filter { !$0.isTransient } }

    // MARK: What goes

    private mutating func collect(_ found: [RowKey]) throws {
        var wave = found
        while !wave.isEmpty {
            var groups: [Int: [Int64]] = [:]
            for row in wave where doomed[row.entity.index, default: []].insert(row.key).inserted {
                groups[row.entity.index, default: []].append(row.key)
            }
            wave = []
            for (index, keys) in groups.sorted(by: { $0.key < $1.key }) {
                for relationship in kept(compiler.model.entities[index]) where relationship.deleteRule == .cascade {
                    wave += try ends(relationship, keys).filter { !isDoomed($0) }
                }
            }
        }
    }

    /// Whether anything keeps the rows from going.
    private func check(_ entity: Entity, _ keys: [Int64]) throws {
        for relationship in kept(entity) where relationship.deleteRule == .deny {
            let remaining = try ends(relationship, keys).filter { !isDoomed($0) }.count
            guard remaining == 0 else {
                throw FetchError(
                    .denied,
                    "\(entity.name).\(relationship.name) denies the deletion while there are any, and \(remaining) remain; delete those first"
                )
            }
        }
        for other in compiler.model.entities {
            for attribute in other.attributes {
                guard let derivation = attribute.declaration.derivation else { continue }
                let isFromIt = other.relationships.contains {
                    $0.destination.root == entity.root && derivation.contains($0.name)
                }
                if isFromIt {
                    throw FetchError(
                        .unsupported,
                        "a batch cannot delete \(entity.name), since \(other.name).\(attribute.name) is derived from it; delete the objects"
                    )
                }
            }
        }
    }

    // MARK: Going

    private func remove(_ entity: Entity, _ keys: [Int64]) throws {
        let list = KeyList(keys).query
        for join in compiler.schema.joins {
            for (column, end) in [
                (join.source, join.relationship.entity), (join.target, join.relationship.destination),
            ] where end.root == entity.root {
                try connection.execute(
                    "DELETE FROM \(identifier: join.name) WHERE \(identifier: column) IN (\(list))")
            }
        }
        try connection.execute("DELETE FROM \(identifier: entity.root.name) WHERE \"_pk\" IN (\(list))")
    }

    /// Sets what points at the rows to nothing.
    private mutating func nullify(_ entity: Entity, _ keys: [Int64]) throws {
        for relationship in kept(entity) where relationship.deleteRule != .noAction {
            guard let inverse = relationship.inverse, !inverse.isToMany, !inverse.isTransient else { continue }
            let destination = relationship.destination
            let column = try compiler.columnName(of: inverse)
            var sets: [SQLFragment] = ["\(identifier: column) = NULL"]
            if relationship.isToMany, relationship.isOrdered {
                sets.append("\(identifier: Schema.orderColumn(relationship)) = NULL")
            }
            sets.append("\"_version\" = \"_version\" + 1")
            let layout = compiler.layout(.keys, of: destination)
            let list = KeyList(keys).query
            let conditions = ["\(compiler.column(column)) IN (\(list))"] + compiler.scope(of: destination)
            var sql: SQLFragment = "UPDATE \(compiler.table(of: destination)) SET \(sets)"
            sql += FetchCompiler.clause(conditions)
            sql += " RETURNING \(layout.names.map { name -> SQLFragment in "\(identifier: name)" })"
            let rows = try RowQuery(sql: sql, layout: layout).keys(on: connection)
            guard inverse.isOptional || rows.isEmpty else {
                throw FetchError(
                    .required,
                    "\(destination.name).\(inverse.name) must have a value, and \(rows.count) would be left without; delete those first"
                )
            }
            updated.formUnion(rows)
        }
    }

    // MARK: What is left

    /// The rows that stay and lose something of which they must have a number.
    private func boundedOwners(_ entity: Entity, _ keys: [Int64]) throws -> [(RelationshipProperty, [Int64])] {
        try kept(entity).compactMap { relationship in
            guard let inverse = relationship.inverse, inverse.isToMany, relationship.deleteRule != .noAction,
                !inverse.isOptional || inverse.declaration.minimumCount > 0
            else { return nil }
            let owners = try ends(relationship, keys).filter { !isDoomed($0) }.map(\.key)
            return owners.isEmpty ? nil : (inverse, owners)
        }
    }

    private func check(_ relationship: RelationshipProperty, _ owners: [Int64]) throws {
        let left = try compiler.children(of: relationship, owners: owners, columns: .keys)
            .keysByOwner(on: connection)
        let least = relationship.declaration.minimumCount
        for owner in owners {
            let count = left[owner]?.count ?? 0
            guard count == 0 ? relationship.isOptional : count >= least else {
                throw FetchError(
                    .required,
                    "\(relationship.entity.name).\(relationship.name) must lead to at least \(max(1, least)), and would lead to \(count); delete its owner, or less"
                )
            }
        }
    }
}
