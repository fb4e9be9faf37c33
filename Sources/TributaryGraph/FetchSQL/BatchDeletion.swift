import TributarySQLite

/// Deletes rows by the rules of the model, within a transaction.
///
///     1. mark the matching rows, and all rows that the deletion cascades to
///     2. check the deny rules against the marked rows
///     3. delete the marked rows and their pairs in join tables
///     4. set references to the deleted rows to null
///
/// The number of statements depends on the model and on the depth of cascades, not on the number of rows.
struct BatchDeletion {
    let compiler: FetchCompiler
    let connection: Connection
    /// The keys of the rows to delete, by the index of their entity.
    private var marked: [Int: Set<Int64>] = [:]
    private var updated: Set<RowKey> = []

    init(_ compiler: FetchCompiler, on connection: Connection) {
        self.compiler = compiler
        self.connection = connection
    }

    mutating func run(_ delete: BatchDelete) throws -> BatchResult {
        var request = RowRequest(entity: delete.entityName, where: delete.filter)
        request.includesSubentities = delete.includesSubentities
        request.variables = delete.variables
        return try run(compiler.ids(request).keys(on: connection))
    }

    /// Deletes rows, and what the rules of the model say about others.
    mutating func run(_ rows: [RowKey]) throws -> BatchResult {
        try mark(rows)
        let groups = marked.sorted { $0.key < $1.key }.map { (compiler.model.entities[$0.key], $0.value.sorted()) }
        for (entity, keys) in groups { try check(entity, keys) }
        let bounded = try groups.flatMap { entity, keys in try boundedOwners(entity, keys) }
        for (entity, keys) in groups { try remove(entity, keys) }
        for (entity, keys) in groups { try nullify(entity, keys) }
        for (relationship, owners) in bounded { try check(relationship, owners) }
        let deleted = groups.flatMap { entity, keys in keys.map { RowKey(entity, $0) } }
        return BatchResult(updated: updated, deleted: deleted)
    }

    private func isMarked(_ row: RowKey) -> Bool { marked[row.entity.index]?.contains(row.key) ?? false }

    /// The stored destinations of a relationship of some rows.
    private func destinations(_ relationship: RelationshipProperty, _ keys: [Int64]) throws -> [RowKey] {
        try compiler.children(of: relationship, owners: keys, columns: .keys).keys(on: connection)
    }

    private func storedRelationships(_ entity: Entity) -> [RelationshipProperty] {
        entity.relationships.filter { !$0.isTransient }
    }

    // MARK: Marking

    /// Marks rows, and all rows that their deletion cascades to.
    private mutating func mark(_ rows: [RowKey]) throws {
        var level = rows
        while !level.isEmpty {
            var groups: [Int: [Int64]] = [:]
            for row in level where marked[row.entity.index, default: []].insert(row.key).inserted {
                groups[row.entity.index, default: []].append(row.key)
            }
            level = []
            for (index, keys) in groups.sorted(by: { $0.key < $1.key }) {
                let entity = compiler.model.entities[index]
                for relationship in storedRelationships(entity) where relationship.deleteRule == .cascade {
                    level += try destinations(relationship, keys).filter { !isMarked($0) }
                }
            }
        }
    }

    /// Throws if a delete rule or a derived attribute forbids the deletion of the rows.
    private func check(_ entity: Entity, _ keys: [Int64]) throws {
        for relationship in storedRelationships(entity) where relationship.deleteRule == .deny {
            let remaining = try destinations(relationship, keys).filter { !isMarked($0) }.count
            guard remaining == 0 else {
                throw FetchError(
                    .denied,
                    "\(entity.name).\(relationship.name) denies the deletion while it refers to other objects (\(remaining)); delete those first"
                )
            }
        }
        for other in compiler.model.entities {
            for attribute in other.attributes {
                let isDerivedFromRows = other.relationships.contains {
                    $0.destination.root == entity.root && attribute.isDerived(from: $0.name)
                }
                if isDerivedFromRows {
                    throw FetchError(
                        .unsupported,
                        "a batch cannot delete \(entity.name), since \(other.name).\(attribute.name) is derived from it; delete the objects instead"
                    )
                }
            }
        }
    }

    // MARK: Deleting

    private func remove(_ entity: Entity, _ keys: [Int64]) throws {
        let list = SQLFragment.query(for: keys)
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

    /// Sets references to the rows to null.
    private mutating func nullify(_ entity: Entity, _ keys: [Int64]) throws {
        for relationship in storedRelationships(entity) where relationship.deleteRule != .noAction {
            guard let inverse = relationship.inverse, !inverse.isToMany, !inverse.isTransient else { continue }
            let destination = relationship.destination
            let column = try compiler.columnName(of: inverse)
            var sets: [SQLFragment] = ["\(identifier: column) = NULL"]
            if relationship.isToMany, relationship.isOrdered {
                sets.append("\(identifier: Schema.orderColumn(relationship)) = NULL")
            }
            sets.append("\"_version\" = \"_version\" + 1")
            let layout = compiler.layout(.keys, of: destination)
            let list = SQLFragment.query(for: keys)
            let conditions = ["\(compiler.column(column)) IN (\(list))"] + compiler.scope(of: destination)
            var sql: SQLFragment = "UPDATE \(compiler.table(of: destination)) SET \(sets)"
            sql += FetchCompiler.clause(conditions)
            sql += " RETURNING \(layout.names.map { name -> SQLFragment in "\(identifier: name)" })"
            let rows = try RowQuery(sql: sql, layout: layout).keys(on: connection)
            guard inverse.isOptional || rows.isEmpty else {
                throw FetchError(
                    .required,
                    "\(destination.name).\(inverse.name) is required, and the deletion would set it to null (\(rows.count)); delete those objects first"
                )
            }
            updated.formUnion(rows)
        }
    }

    // MARK: Counts

    /// The remaining rows that lose destinations of a relationship with a minimum count.
    private func boundedOwners(_ entity: Entity, _ keys: [Int64]) throws -> [(RelationshipProperty, [Int64])] {
        try storedRelationships(entity).compactMap { relationship in
            guard let inverse = relationship.inverse, inverse.isToMany, relationship.deleteRule != .noAction,
                !inverse.isOptional || inverse.declaration.minimumCount > 0
            else { return nil }
            let owners = try destinations(relationship, keys).filter { !isMarked($0) }.map(\.key)
            return owners.isEmpty ? nil : (inverse, owners)
        }
    }

    private func check(_ relationship: RelationshipProperty, _ owners: [Int64]) throws {
        let remaining = try compiler.children(of: relationship, owners: owners, columns: .keys)
            .keysByOwner(on: connection)
        let minimum = relationship.declaration.minimumCount
        for owner in owners {
            let count = remaining[owner]?.count ?? 0
            guard count == 0 ? relationship.isOptional : count >= minimum else {
                throw FetchError(
                    .required,
                    "\(relationship.entity.name).\(relationship.name) must have at least \(max(1, minimum)) objects and would have \(count); delete its owner too, or fewer objects"
                )
            }
        }
    }
}
