import TributarySQLite

extension FetchCompiler {
    /// The objects at the end of a relationship of many owners at once: the number of the owner, then the row.
    ///
    /// They come owner by owner, in the order of the relationship if it has one, else by number. What leads nowhere is
    /// missing.
    ///
    /// - Throws: `FetchError` if the store does not keep the relationship.
    package func children(
        of relationship: RelationshipProperty, owners: some Sequence<Int64>, columns: RowColumns = .all
    ) throws(FetchError) -> RowQuery {
        if relationship.isTransient { throw Self.notKept(relationship) }
        let layout = layout(columns, of: relationship.destination, hasOwner: true)
        let keys = KeyList(owners).query
        let source: ChildSource
        if !relationship.isToMany {
            source = try viaOwnColumn(relationship, keys)
        } else if let inverse = relationship.inverse, !inverse.isToMany {
            source = try viaColumn(relationship, of: inverse, keys)
        } else {
            source = try viaJoin(relationship, keys)
        }
        var sql: SQLFragment = "SELECT \(source.owner), \(layout.names.map(column)) FROM \(source.tables)"
        sql += Self.clause(source.conditions)
        sql += " ORDER BY \([source.owner] + source.order + [column("_pk")])"
        return RowQuery(sql: sql, layout: layout)
    }

    /// The relationships along a path such as `author.books`.
    ///
    /// - Throws: `FetchError` for a key that is no relationship.
    package func relationships(along path: String, from entity: Entity) throws(FetchError) -> [RelationshipProperty] {
        var current = entity
        var relationships: [RelationshipProperty] = []
        for name in path.split(separator: ".").map(String.init) {
            guard let relationship = current.relationship(named: name) else {
                throw FetchError(
                    .key,
                    "\(current.name) has no relationship \(name), which \(entity.name) is to prefetch along \(path)")
            }
            relationships.append(relationship)
            current = relationship.destination
        }
        return relationships
    }

    // MARK: Ways

    /// Where children come from.
    private struct ChildSource {
        var owner: SQLFragment
        var tables: SQLFragment
        var conditions: [SQLFragment]
        var order: [SQLFragment] = []
    }

    static func notKept(_ relationship: RelationshipProperty) -> FetchError {
        FetchError(.unsupported, "the store does not keep \(relationship.entity.name).\(relationship.name)")
    }

    /// The column of a relationship to one.
    ///
    /// - Throws: `FetchError` if there is none.
    func columnName(of relationship: RelationshipProperty) throws(FetchError) -> String {
        let entity = relationship.entity
        guard let column = schema.table(of: entity)?.column(.relationship(relationship), of: entity) else {
            throw Self.notKept(relationship)
        }
        return column.name
    }

    /// To one: the owner knows it.
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

    /// One to many: each of the many knows its owner.
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

    /// Many to many, or to many without an inverse: a table of pairs.
    private func viaJoin(
        _ relationship: RelationshipProperty, _ keys: SQLFragment
    ) throws(FetchError) -> ChildSource {
        guard let join = join(of: relationship) else { throw Self.notKept(relationship) }
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

    /// The pairs of a relationship that is its own inverse: one row says it for both, whichever stands first.
    private func symmetric(_ join: JoinLayout, _ keys: SQLFragment) -> SQLFragment {
        let (source, target): (SQLFragment, SQLFragment) = ("\(identifier: join.source)", "\(identifier: join.target)")
        let name: SQLFragment = "\(identifier: join.name)"
        guard join.hasTargetOrder else {
            return
                "SELECT \(source), \(target) FROM \(name) WHERE \(source) IN (\(keys)) UNION SELECT \(target), \(source) FROM \(name) WHERE \(target) IN (\(keys))"
        }
        // The order is that of the first; read from the other side, a pair has none.
        return
            "SELECT \(source), \(target), MIN(\"_targetOrder\") AS \"_targetOrder\" FROM (SELECT \(source), \(target), \"_targetOrder\" FROM \(name) WHERE \(source) IN (\(keys)) UNION ALL SELECT \(target), \(source), NULL FROM \(name) WHERE \(target) IN (\(keys))) GROUP BY 1, 2"
    }

    /// The table of pairs of a relationship.
    func join(of relationship: RelationshipProperty) -> JoinLayout? {
        schema.joins.first { $0.relationship == relationship || $0.relationship == relationship.inverse }
    }
}
