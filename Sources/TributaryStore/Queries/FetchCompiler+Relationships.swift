import TributarySQLite

extension FetchCompiler {
    /// A query for the destinations of a relationship of many owners at once: the key of the owner, then the row.
    ///
    /// The rows are ordered by owner, then by the order of the relationship if it has one, then by key. A reference to
    /// a missing row yields no row.
    package func children(
        of relationship: RelationshipProperty, owners: some Sequence<Int64>, columns: RowColumns = .all
    ) throws(FetchError) -> RowQuery {
        let layout = layout(columns, of: relationship.destination, hasOwner: true)
        let source = try destinations(of: relationship, owners: .query(for: owners))
        var sql: SQLFragment = "SELECT \(source.owner), \(layout.names.map(column)) FROM \(source.tables)"
        sql += Self.clause(source.conditions)
        sql += " ORDER BY \([source.owner] + source.order + [column("_pk")])"
        return RowQuery(sql: sql, layout: layout)
    }

    /// The relationships along a path such as `author.books`.
    package func relationships(along path: String, from entity: Entity) throws(FetchError) -> [RelationshipProperty] {
        var current = entity
        var relationships: [RelationshipProperty] = []
        for name in path.split(separator: ".").map(String.init) {
            guard let relationship = current.relationship(named: name) else {
                throw FetchError(
                    .key,
                    "\(current.name) has no relationship \(name), needed to prefetch \(path) of \(entity.name)")
            }
            relationships.append(relationship)
            current = relationship.destination
        }
        return relationships
    }

    // MARK: Sources of children

    /// The parts of a query for children.
    struct ChildSource {
        var owner: SQLFragment
        var tables: SQLFragment
        var conditions: [SQLFragment]
        var order: [SQLFragment] = []
    }

    /// The parts of a query for the destinations of a relationship of the owners whose keys a query returns.
    func destinations(
        of relationship: RelationshipProperty, owners keys: SQLFragment
    ) throws(FetchError) -> ChildSource {
        if relationship.isTransient { throw Self.notStored(relationship) }
        if !relationship.isToMany { return try viaOwnColumn(relationship, keys) }
        if let inverse = relationship.inverse, !inverse.isToMany {
            return try viaColumn(relationship, of: inverse, keys)
        }
        return try viaJoin(relationship, keys)
    }

    static func notStored(_ relationship: RelationshipProperty) -> FetchError {
        FetchError(.unsupported, "\(relationship.entity.name).\(relationship.name) is not stored")
    }

    /// The column of a to-one relationship.
    func columnName(of relationship: RelationshipProperty) throws(FetchError) -> String {
        guard let column = relationship.column(in: schema) else { throw Self.notStored(relationship) }
        return column
    }

    /// To-one: the row of the owner has the reference.
    private func viaOwnColumn(
        _ relationship: RelationshipProperty, _ keys: SQLFragment
    ) throws(FetchError) -> ChildSource {
        let link: SQLFragment = "\"_p\".\(identifier: try columnName(of: relationship))"
        return ChildSource(
            owner: "\"_p\".\"_pk\"",
            tables:
                "\(identifier: relationship.entity.root.name) AS \"_p\" JOIN \(table(of: relationship.destination)) ON \(column("_pk")) = \(link)",
            conditions: ["\"_p\".\"_pk\" IN (\(keys))"] + scope(of: relationship.entity, alias: "_p"))
    }

    /// One-to-many: the rows of the destination have the reference.
    private func viaColumn(
        _ relationship: RelationshipProperty, of inverse: RelationshipProperty, _ keys: SQLFragment
    ) throws(FetchError) -> ChildSource {
        let owner = column(try columnName(of: inverse))
        return ChildSource(
            owner: owner, tables: table(of: relationship.destination),
            // Siblings may share the column.
            conditions: ["\(owner) IN (\(keys))"] + scope(of: relationship.destination),
            order: relationship.isOrdered ? [column(Schema.orderColumn(relationship))] : [])
    }

    /// Many-to-many, or to-many without an inverse: a join table has pairs of keys.
    private func viaJoin(
        _ relationship: RelationshipProperty, _ keys: SQLFragment
    ) throws(FetchError) -> ChildSource {
        guard let join = schema.join(of: relationship) else { throw Self.notStored(relationship) }
        let isForward = join.relationship == relationship
        let (from, to) = isForward ? (join.source, join.target) : (join.target, join.source)
        func pair(_ column: String) -> SQLFragment { "\"_j\".\(identifier: column)" }
        var pairs: SQLFragment = "\(identifier: join.name)"
        var order: [SQLFragment] = []
        var conditions: [SQLFragment] = []
        if isForward ? join.hasTargetOrder : join.hasSourceOrder {
            order = [pair(isForward ? "_targetOrder" : "_sourceOrder")]
        }
        if relationship == relationship.inverse {
            pairs = "(\(symmetric(join, keys)))"
        } else {
            conditions = ["\(pair(from)) IN (\(keys))"]
        }
        return ChildSource(
            owner: pair(from),
            tables: "\(pairs) AS \"_j\" JOIN \(table(of: relationship.destination)) ON \(column("_pk")) = \(pair(to))",
            conditions: conditions, order: order)
    }

    /// The pairs of a relationship that is its own inverse, where one row represents both directions.
    private func symmetric(_ join: JoinLayout, _ keys: SQLFragment) -> SQLFragment {
        let (source, target): (SQLFragment, SQLFragment) = ("\(identifier: join.source)", "\(identifier: join.target)")
        let name: SQLFragment = "\(identifier: join.name)"
        guard join.hasTargetOrder else {
            return
                "SELECT \(source), \(target) FROM \(name) WHERE \(source) IN (\(keys)) UNION SELECT \(target), \(source) FROM \(name) WHERE \(target) IN (\(keys))"
        }
        // The order belongs to the source; in the other direction a pair has no order.
        return
            "SELECT \(source), \(target), MIN(\"_targetOrder\") AS \"_targetOrder\" FROM (SELECT \(source), \(target), \"_targetOrder\" FROM \(name) WHERE \(source) IN (\(keys)) UNION ALL SELECT \(target), \(source), NULL FROM \(name) WHERE \(target) IN (\(keys))) GROUP BY 1, 2"
    }
}
