package import TributarySQLite

/// Deletes rows by the rules of the model, within a transaction.
///
///     1. mark rows in a temporary table, and all rows that their deletion cascades to
///     2. check the deny rules and the minimum counts against the marks
///     3. delete the marked rows and their pairs in join tables
///     4. set references to the deleted rows to null
///
/// The number of statements depends on the model and on the depth of cascades, not on the number of rows, and no key
/// is in memory unless the result is wanted.
package struct BatchDeletion {
    private static let marks: SQLFragment = "temp.\"_deletion\""

    let compiler: FetchCompiler
    let connection: Connection
    /// The rows that referred to deleted rows; empty unless they are wanted.
    private var updated: [RowKey] = []
    /// Whether attributes may be derived from the rows: an import computes these at its end.
    private let derivesLater: Bool
    /// Whether the database has triggers, which may keep rows.
    private var hasTriggers = false

    init(_ compiler: FetchCompiler, derivesLater: Bool, on connection: Connection) throws {
        self.compiler = compiler
        self.derivesLater = derivesLater
        self.connection = connection
        // The IDs are ascending, so that the rows that were marked last are a range.
        try connection.execute(
            """
            CREATE TEMP TABLE IF NOT EXISTS "_deletion" ("id" INTEGER PRIMARY KEY, "root" INTEGER NOT NULL,
            "key" INTEGER NOT NULL, "entity" TEXT NOT NULL, UNIQUE ("root", "key"))
            """)
        try connection.execute("DELETE FROM \(BatchDeletion.marks)")
    }

    /// Deletes rows of an entity, and what the rules of the model say about others, for an import.
    package static func delete(
        _ keys: [Int64], of entity: Entity, _ schema: Schema, on connection: Connection
    ) throws {
        var deletion = try BatchDeletion(
            FetchCompiler(schema: schema, model: schema.model), derivesLater: true, on: connection)
        try deletion.mark(.query(for: keys), of: entity)
        _ = try deletion.run()
    }

    /// Deletes the rows of a request, and returns the changed rows.
    mutating func run(_ delete: BatchDelete) throws -> BatchResult {
        let entity = try compiler.entity(named: delete.entityName)
        var translator = FilterTranslator(compiler.schema, entity)
        let conditions = try compiler.conditions(
            entity, delete.filter, delete.variables, includesSubentities: delete.includesSubentities, &translator)
        try mark(entity, compiler.table(of: entity), conditions)
        let entities = try deleteMarked(keepingUpdates: true)
        var deleted: [RowKey] = []
        try connection.forEachRow(of: "SELECT \"entity\", \"key\" FROM \(BatchDeletion.marks)") { row in
            if let entity = entities[row.text(at: 0)] { deleted.append(RowKey(entity, row.integer(at: 1))) }
        }
        try connection.execute("DELETE FROM \(BatchDeletion.marks)")
        return BatchResult(updated: Set(updated), deleted: deleted)
    }

    /// Deletes the marked rows, and returns how many of each entity were deleted.
    mutating func run() throws -> [String: Int] {
        _ = try deleteMarked(keepingUpdates: false)
        var counts: [String: Int] = [:]
        try connection.forEachRow(of: "SELECT \"entity\", COUNT(*) FROM \(BatchDeletion.marks) GROUP BY 1") { row in
            counts[row.text(at: 0)] = Int(row.integer(at: 1))
        }
        try connection.execute("DELETE FROM \(BatchDeletion.marks)")
        return counts
    }

    private mutating func deleteMarked(keepingUpdates: Bool) throws -> [String: Entity] {
        let known = try markCascades()
        let entities = known.values.sorted { $0.index < $1.index }
        for entity in entities { try check(entity) }
        for root in Set(entities.map(\.root)).sorted(by: { $0.index < $1.index }) { try remove(root) }
        for entity in entities { try nullify(entity, keepingUpdates) }
        return known
    }

    private func storedRelationships(_ entity: Entity) -> [RelationshipProperty] {
        entity.relationships.filter { !$0.isTransient }
    }

    // MARK: Marking

    /// Marks those of the keys that have a row of an entity; `keys` is a query.
    func mark(_ keys: SQLFragment, of entity: Entity) throws {
        let isWanted: SQLFragment = "\(compiler.column("_pk")) IN (\(keys))"
        try mark(entity, compiler.table(of: entity), [isWanted] + compiler.scope(of: entity))
    }

    private func mark(_ entity: Entity, _ tables: SQLFragment, _ conditions: [SQLFragment]) throws {
        let hasSubentities = compiler.schema.table(of: entity)?.hasSubentities ?? false
        let name = hasSubentities ? compiler.column("_entity") : SQLFragment(entity.name)
        try connection.execute(
            """
            INSERT OR IGNORE INTO \(BatchDeletion.marks) ("root", "entity", "key")
            SELECT \(entity.root.index), \(name), \(compiler.column("_pk"))
            FROM \(tables)\(FetchCompiler.clause(conditions))
            """)
    }

    /// Marks all rows that the deletion cascades to; returns the entities of all marked rows, by name.
    private mutating func markCascades() throws -> [String: Entity] {
        var known: [String: Entity] = [:]
        var end: Int64 = 0
        while true {
            let start = end
            var level: [Entity] = []
            try connection.forEachRow(
                of: """
                    SELECT "root", "entity", MAX("id"), EXISTS (SELECT 1 FROM sqlite_master WHERE "type" = 'trigger')
                    FROM \(BatchDeletion.marks) WHERE "id" > \(start) GROUP BY 1, 2
                    """
            ) { row in
                let name = row.text(at: 1)
                guard let entity = compiler.model[name], entity.root.index == Int(row.integer(at: 0)) else {
                    throw FetchError(.damaged, "a row to delete has the entity \(name), which its table does not have")
                }
                known[name] = entity
                level.append(entity)
                end = max(end, row.integer(at: 2))
                hasTriggers = row.integer(at: 3) != 0
            }
            if level.isEmpty { return known }
            for entity in level {
                let added: SQLFragment = "\(keys(of: entity)) AND \"id\" > \(start) AND \"id\" <= \(end)"
                for relationship in storedRelationships(entity) where relationship.deleteRule == .cascade {
                    let found = try compiler.destinations(of: relationship, owners: added)
                    try mark(relationship.destination, found.tables, found.conditions)
                }
            }
        }
    }

    /// A query for the marked keys of an entity.
    private func keys(of entity: Entity) -> SQLFragment {
        "SELECT \"key\" FROM \(BatchDeletion.marks) WHERE \"entity\" = \(entity.name)"
    }

    /// The condition that the row of an entity in the requested table is marked.
    private func isMarked(_ entity: Entity) -> SQLFragment {
        """
        EXISTS (SELECT 1 FROM \(BatchDeletion.marks) AS "_m" WHERE "_m"."root" = \(entity.root.index)
        AND "_m"."key" = \(compiler.column("_pk")))
        """
    }

    // MARK: Checking

    /// Throws if a delete rule, a minimum count or a derived attribute forbids the deletion of rows of an entity.
    private func check(_ entity: Entity) throws {
        for relationship in storedRelationships(entity) {
            if relationship.deleteRule == .deny { try checkDenial(relationship, of: entity) }
            if let inverse = relationship.inverse, inverse.isToMany, relationship.deleteRule != .noAction,
                !inverse.isOptional || inverse.declaration.minimumCount > 0
            {
                try checkCount(inverse, of: relationship, entity)
            }
        }
        for other in compiler.model.entities where !derivesLater {
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

    private func checkDenial(_ relationship: RelationshipProperty, of entity: Entity) throws {
        let found = try compiler.destinations(of: relationship, owners: keys(of: entity))
        let conditions = found.conditions + ["NOT \(isMarked(relationship.destination))"]
        let remaining = try connection.integer(
            of: "SELECT COUNT(*) FROM \(found.tables)\(FetchCompiler.clause(conditions))")
        guard let count = remaining, count > 0 else { return }
        throw FetchError(
            .denied,
            "\(entity.name).\(relationship.name) denies the deletion while it refers to other objects (\(count)); delete those first"
        )
    }

    /// Throws if a remaining row loses so many destinations of `inverse` that it has too few.
    private func checkCount(
        _ inverse: RelationshipProperty, of relationship: RelationshipProperty, _ entity: Entity
    ) throws {
        let losing = try compiler.destinations(of: relationship, owners: keys(of: entity))
        let conditions = losing.conditions + ["NOT \(isMarked(relationship.destination))"]
        let owners: SQLFragment =
            "SELECT \(compiler.column("_pk")) FROM \(losing.tables)\(FetchCompiler.clause(conditions))"
        let rest = try compiler.destinations(of: inverse, owners: owners)
        let minimum = max(1, inverse.declaration.minimumCount)
        let found = try connection.integer(
            of: """
                SELECT SUM(NOT \(isMarked(inverse.destination))) AS "_n" FROM \(rest.tables)
                \(FetchCompiler.clause(rest.conditions)) GROUP BY \(rest.owner)
                HAVING "_n" < \(minimum) AND ("_n" > 0 OR \(!inverse.isOptional)) LIMIT 1
                """)
        guard let count = found else { return }
        throw FetchError(
            .required,
            "\(inverse.entity.name).\(inverse.name) must have at least \(minimum) objects and would have \(count); delete its owner too, or fewer objects"
        )
    }

    // MARK: Deleting

    /// Deletes the marked rows of a table, and their pairs in join tables.
    private func remove(_ root: Entity) throws {
        let keys: SQLFragment = "SELECT \"key\" FROM \(BatchDeletion.marks) WHERE \"root\" = \(root.index)"
        for (table, column) in compiler.schema.joinEnds(of: root) {
            try connection.execute("DELETE FROM \(identifier: table) WHERE \(identifier: column) IN (\(keys))")
        }
        let isMarked: SQLFragment = "\"_pk\" IN (\(keys))"
        try connection.execute("DELETE FROM \(identifier: root.name) WHERE " + isMarked)
        if hasTriggers { try TableRows.checkDeletion(of: isMarked, from: root.name, on: connection) }
    }

    /// Sets references to the deleted rows of an entity to null.
    private mutating func nullify(_ entity: Entity, _ keepingUpdates: Bool) throws {
        for relationship in storedRelationships(entity) where relationship.deleteRule != .noAction {
            guard let inverse = relationship.inverse, !inverse.isToMany, !inverse.isTransient else { continue }
            let destination = relationship.destination
            let column = try compiler.columnName(of: inverse)
            var sets: [SQLFragment] = ["\(identifier: column) = NULL"]
            if relationship.isToMany, relationship.isOrdered {
                sets.append("\(identifier: Schema.orderColumn(relationship)) = NULL")
            }
            sets.append("\"_version\" = \"_version\" + 1")
            let conditions = ["\(compiler.column(column)) IN (\(keys(of: entity)))"] + compiler.scope(of: destination)
            var sql: SQLFragment = "UPDATE \(compiler.table(of: destination)) SET \(sets)"
            sql += FetchCompiler.clause(conditions)
            let count: Int
            if keepingUpdates {
                let layout = compiler.layout(.keys, of: destination)
                sql += " RETURNING \(layout.names.map { name -> SQLFragment in "\(identifier: name)" })"
                let rows = try RowQuery(sql: sql, layout: layout).keys(on: connection)
                updated += rows
                count = rows.count
            } else {
                try connection.execute(sql)
                count = connection.changeCount
            }
            guard inverse.isOptional || count == 0 else {
                throw FetchError(
                    .required,
                    "\(destination.name).\(inverse.name) is required, and the deletion would set it to null (\(count)); delete those objects first"
                )
            }
        }
    }
}
