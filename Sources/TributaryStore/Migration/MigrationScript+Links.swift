import TributarySQLite

/// Moving the links between objects to where the later model stores them.
extension MigrationScript {
    /// The earlier join table that becomes a later one, because nothing but its name differs.
    private func origin(of join: JoinLayout) -> JoinLayout? {
        guard let earlier = match.source(of: join.relationship) else { return nil }
        return source.joins.first { old in
            old.relationship == earlier && match.destination(of: earlier.entity) == join.relationship.entity
                && (earlier.inverse == earlier) == (join.relationship.inverse == join.relationship)
                && old.hasTargetOrder == join.hasTargetOrder
                && old.hasSourceOrder == join.hasSourceOrder && old.isEnforced == join.isEnforced
                && old.relationship.entity.root.name == tables.origin(of: join.relationship.entity.root)
                && old.relationship.destination.root.name == tables.origin(of: join.relationship.destination.root)
        }
    }

    /// The later join table of an earlier one; nil if it is dropped.
    func successor(of join: JoinLayout) -> JoinLayout? { destination.joins.first { origin(of: $0)?.name == join.name } }

    /// The name of an earlier join table until it is dropped.
    func current(_ join: JoinLayout) -> String {
        if let later = successor(of: join) { return later.name }
        let names = destination.joins.map(\.name) + destination.tables.map(\.name)
        return names.contains { $0.lowercasedASCII == join.name.lowercasedASCII }
            ? TableMove.temporaryName(join.name) : join.name
    }

    /// Fills join tables and columns whose links were stored otherwise.
    mutating func moveLinks() {
        for entity in destination.model.entities {
            for relationship in entity.relationships where relationship.entity == entity { compareSides(relationship) }
        }
        for join in destination.joins where origin(of: join) == nil {
            execute(destination.creation(join))
            if let links = links(of: join.relationship) { fill(join, links) }
        }
        for move in tables.moves {
            for column in move.columns {
                // Siblings share a column.
                for (relationship, sources) in Self.relationships(column) {
                    guard sources.allSatisfy({ $0.place == nil }), let links = links(of: relationship) else { continue }
                    fill(column.name, of: relationship, move, links)
                }
            }
            for relationship in destination.orderedRelationships(in: move.table) {
                let name = Schema.orderColumn(relationship)
                if move.orders.contains(where: { $0.name == name && $0.reusedColumn != nil }) { continue }
                fillOrder(name, relationship, move)
            }
        }
    }

    /// Refuses to make two relationships inverses of each other whose links differ.
    private mutating func compareSides(_ relationship: RelationshipProperty) {
        guard let inverse = relationship.inverse,
            (relationship.entity.index, relationship.slot) <= (inverse.entity.index, inverse.slot)
        else { return }
        let (own, other) = (earlier(of: relationship), earlier(of: inverse))
        let wereInverses = own.allSatisfy { $0.inverse.map(other.contains) ?? false }
        guard !own.isEmpty, !other.isEmpty, !wereInverses, let links = links(of: relationship, isReversed: false),
            let back = self.links(of: inverse, isReversed: true)
        else { return }
        let (first, second): (SQLFragment, SQLFragment) = (
            "SELECT o, t FROM (\(links.query))", "SELECT o, t FROM (\(back.query))"
        )
        let names = "\(relationship.entity.name).\(relationship.name) and \(inverse.entity.name).\(inverse.name)"
        refuse(
            if: """
                SELECT 1 FROM (\(first) EXCEPT \(second)) UNION ALL SELECT 1 FROM (\(second) EXCEPT \(first)) LIMIT 1
                """
        ) { _ in
            "\(names) become inverses, but have different links: make them equal first, or rename one of them"
        }
    }

    private static func relationships(
        _ column: TableMove.Column
    ) -> [(RelationshipProperty, [(entity: Entity, place: TableMove.SourceColumn?, property: Property)])] {
        var found: [RelationshipProperty] = []
        for one in column.sources.compactMap(\.property.relationship) where !found.contains(one) { found.append(one) }
        return found.map { one in (one, column.sources.filter { $0.property.relationship == one }) }
    }

    // MARK: Sources

    /// A query of the links of a later relationship in the earlier tables.
    private struct Links {
        /// The query, with the columns `o`, `t`, and the positions `n` of a target and `m` of an owner.
        let query: SQLFragment
        let hasTargetOrder: Bool
        let hasSourceOrder: Bool
        /// Whether an owner may have several targets.
        let mayRepeat: Bool
        /// Whether foreign keys have ensured that owners and targets exist.
        let isEnforced: Bool
    }

    private func links(of relationship: RelationshipProperty) -> Links? {
        links(of: relationship, isReversed: false) ?? relationship.inverse.flatMap { links(of: $0, isReversed: true) }
    }

    /// The links of the earlier relationships of a later one, from their targets to their owners if reversed.
    private func links(of relationship: RelationshipProperty, isReversed: Bool) -> Links? {
        let all = earlier(of: relationship).compactMap {
            links(ofEarlier: $0, isReversed: isReversed, owners(of: relationship, $0))
        }
        guard all.count > 1 else { return all.first }
        let queries = all.map { "SELECT o, t, n, m FROM (" + $0.query + ")" as SQLFragment }
        return Links(
            query: queries.joined(separator: " UNION ALL "), hasTargetOrder: all.allSatisfy(\.hasTargetOrder),
            hasSourceOrder: all.allSatisfy(\.hasSourceOrder), mayRepeat: all.contains(where: \.mayRepeat),
            isEnforced: all.allSatisfy(\.isEnforced))
    }

    /// The earlier relationships of a later one: several if those of siblings have moved up.
    private func earlier(of relationship: RelationshipProperty) -> [RelationshipProperty] {
        var found: [RelationshipProperty] = []
        for entity in [relationship.entity] + relationship.entity.descendants {
            guard let one = match.source(of: .relationship(relationship), in: entity)?.relationship else { continue }
            if !found.contains(one) { found.append(one) }
        }
        return found
    }

    /// The keys of the owners, if a relationship has moved down to some of the entities that had it; nil for all.
    private func owners(of relationship: RelationshipProperty, _ earlier: RelationshipProperty) -> SQLFragment? {
        guard let table = source.table(of: earlier.entity), table.hasSubentities else { return nil }
        let entities = [relationship.entity] + relationship.entity.descendants
        let all = ([earlier.entity] + earlier.entity.descendants).compactMap(match.destination(of:))
        guard !all.allSatisfy(entities.contains) else { return nil }
        let isOf = condition(entities.filter(all.contains), in: table, isEarlier: true)
        return "SELECT \"_pk\" FROM \(identifier: tables.current(table.name)) WHERE " + isOf
    }

    private func links(
        ofEarlier relationship: RelationshipProperty, isReversed: Bool, _ owners: SQLFragment?
    ) -> Links? {
        guard !relationship.isTransient else { return nil }
        var (owner, target): (SQLFragment, SQLFragment)
        var (targetOrder, ownerOrder): (SQLFragment?, SQLFragment?)
        let from: SQLFragment
        let isEnforced: Bool
        if let join = source.join(of: relationship) {
            isEnforced = join.isEnforced
            let isForward = join.relationship == relationship
            (owner, target) = ("\(identifier: join.source)", "\(identifier: join.target)")
            (targetOrder, ownerOrder) = (
                join.hasTargetOrder ? "\"_targetOrder\"" : nil, join.hasSourceOrder ? "\"_sourceOrder\"" : nil
            )
            if !isForward { (owner, target, targetOrder, ownerOrder) = (target, owner, ownerOrder, targetOrder) }
            if relationship.inverse == relationship {
                // A pair of a symmetric relationship may be stored in one direction only.
                let name: SQLFragment = "\(identifier: current(join))"
                var (pair, back): (SQLFragment, SQLFragment) = ("\(owner), \(target)", "\(target), \(owner)")
                if let order = targetOrder {
                    pair += ", " + order
                    back += ", NULL"
                }
                from = """
                    (SELECT \(pair) FROM \(name) UNION ALL SELECT \(back) FROM \(name) AS b WHERE NOT EXISTS (
                        SELECT 1 FROM \(name) AS c WHERE c.\(owner) = b.\(target) AND c.\(target) = b.\(owner)))
                    """
            } else {
                from = "\(identifier: current(join))"
            }
        } else {
            // The column is that of the to-one side.
            let toOne = relationship.isToMany ? relationship.inverse : relationship
            guard let toOne, let table = source.table(of: toOne.entity),
                let column = table.column(.relationship(toOne), of: toOne.entity)
            else { return nil }
            isEnforced = column.reference != nil
            (owner, target) = ("\"_pk\"", "\(identifier: tables.current(column.name, of: table.name))")
            if let many = toOne.inverse, many.isToMany, many.isOrdered {
                ownerOrder = "\(identifier: tables.current(Schema.orderColumn(many), of: table.name))"
            }
            let isOf = condition(
                ([toOne.entity] + toOne.entity.descendants).compactMap(match.destination(of:)), in: table,
                isEarlier: true)
            from = "\(identifier: tables.current(table.name)) WHERE \(target) IS NOT NULL AND \(isOf)"
            if relationship.isToMany {
                (owner, target, targetOrder, ownerOrder) = (target, owner, ownerOrder, targetOrder)
            }
        }
        let own = owner
        if isReversed { (owner, target, targetOrder, ownerOrder) = (target, owner, ownerOrder, targetOrder) }
        var query: SQLFragment =
            "SELECT \(owner) AS o, \(target) AS t, \(targetOrder ?? "NULL") AS n, \(ownerOrder ?? "NULL") AS m FROM \(from)"
        if let owners {
            query += (source.join(of: relationship) == nil ? " AND " : " WHERE ") + own + " IN (" + owners + ")"
        }
        return Links(
            query: query,
            hasTargetOrder: targetOrder != nil, hasSourceOrder: ownerOrder != nil,
            mayRepeat: isReversed || relationship.isToMany, isEnforced: isEnforced)
    }

    // MARK: Destinations

    private mutating func fill(_ join: JoinLayout, _ links: Links) {
        let isSymmetric = join.relationship.inverse == join.relationship
        var columns: [SQLFragment] = ["\(identifier: join.source)", "\(identifier: join.target)"]
        var values: [SQLFragment] = ["o", "t"]
        if join.hasTargetOrder {
            columns.append("\"_targetOrder\"")
            values.append(
                links.hasTargetOrder && !isSymmetric ? "n" : "row_number() OVER (PARTITION BY o ORDER BY t) - 1")
        }
        if join.hasSourceOrder {
            columns.append("\"_sourceOrder\"")
            values.append(
                links.hasSourceOrder && !isSymmetric ? "m" : "row_number() OVER (PARTITION BY t ORDER BY o) - 1")
        }
        let query: SQLFragment =
            isSymmetric
            ? "SELECT DISTINCT MIN(o, t) AS o, MAX(o, t) AS t FROM (\(links.query))" : links.query
        execute("INSERT INTO \(identifier: join.name) (\(columns)) SELECT \(values) FROM (\(query)) ORDER BY 1, 2")
    }

    private mutating func fill(
        _ column: String, of relationship: RelationshipProperty, _ move: TableMove, _ links: Links
    ) {
        let name = "\(relationship.entity.name).\(relationship.name)"
        if links.mayRepeat {
            refuse(if: "SELECT o FROM (\(links.query)) GROUP BY o HAVING COUNT(*) > 1 LIMIT 1") { values in
                "an object of \(relationship.entity.name) (_pk \(Self.count(values))) would have several \(name), which is to-one: "
                    + "make it to-many, or remove all links but one"
            }
        }
        execute(
            "UPDATE \(identifier: move.table.name) SET \(identifier: column) = l.t FROM (\(links.query)) AS l WHERE \"_pk\" = l.o"
        )
    }

    /// Fills the positions of an ordered relationship whose inverse is to-one.
    private mutating func fillOrder(_ name: String, _ relationship: RelationshipProperty, _ move: TableMove) {
        let table: SQLFragment = "\(identifier: move.table.name)"
        if let links = links(of: relationship), links.hasTargetOrder {
            execute("UPDATE \(table) SET \(identifier: name) = l.n FROM (\(links.query)) AS l WHERE \"_pk\" = l.t")
            return
        }
        guard let inverse = relationship.inverse,
            let column = move.table.column(.relationship(inverse), of: inverse.entity)
        else { return }
        let owner: SQLFragment = "\(identifier: column.name)"
        let isOf = condition([inverse.entity] + inverse.entity.descendants, in: move.table, isEarlier: false)
        execute(
            """
            UPDATE \(table) SET \(identifier: name) = l.n FROM (
                SELECT "_pk" AS k, row_number() OVER (PARTITION BY \(owner) ORDER BY "_pk") - 1 AS n FROM \(table)
                WHERE \(owner) IS NOT NULL AND \(isOf)) AS l
            WHERE "_pk" = l.k
            """)
    }

    // MARK: References to missing objects

    /// Removes references to rows that were removed, or that never existed where references are checked from now on.
    mutating func cleanReferences() {
        for move in tables.moves {
            for column in move.columns {
                for (relationship, sources) in Self.relationships(column) {
                    guard let target = destination.table(of: relationship.destination) else { continue }
                    let isOf = condition(sources.map(\.entity), in: move.table, isEarlier: false)
                    let wasEnforced =
                        column.reusedColumn == nil
                        ? links(of: relationship)?.isEnforced ?? true
                        : move.origin?.columns.first { $0.name == column.reusedColumn }?.reference != nil
                    guard losesRows(target) || column.layout.reference != nil && !wasEnforced else { continue }
                    let name: SQLFragment = "\(identifier: column.name)"
                    let isDangling: SQLFragment =
                        "\(name) IS NOT NULL AND \(name) NOT IN (SELECT \"_pk\" FROM \(identifier: target.name)) AND \(isOf)"
                    refuseLoss("\(identifier: move.table.name)", isDangling, relationship, target)
                    execute("UPDATE \(identifier: move.table.name) SET \(name) = NULL WHERE \(isDangling)")
                }
            }
        }
        for join in destination.joins {
            let ends = [(join.source, join.relationship.entity), (join.target, join.relationship.destination)]
            for (column, entity) in ends {
                guard let target = destination.table(of: entity),
                    losesRows(target)
                        || join.isEnforced && origin(of: join) == nil
                            && !(links(of: join.relationship)?.isEnforced ?? true)
                else { continue }
                let isDangling: SQLFragment =
                    "\(identifier: column) NOT IN (SELECT \"_pk\" FROM \(identifier: target.name))"
                refuseLoss("\(identifier: join.name)", isDangling, join.relationship, target)
                execute("DELETE FROM \(identifier: join.name) WHERE \(isDangling)")
            }
        }
    }

    /// Whether rows are removed, to which other programs may refer.
    var removesRows: Bool {
        tables.moves.contains { losesRows($0.table) }
            || source.tables.contains { tables.successors[$0.name] == nil }
    }

    /// Refuses to drop links to objects that moved into another hierarchy.
    private mutating func refuseLoss(
        _ table: SQLFragment, _ isDangling: SQLFragment, _ relationship: RelationshipProperty, _ target: TableLayout
    ) {
        guard movesRowsAway(target) else { return }
        let name = "\(relationship.entity.name).\(relationship.name)"
        refuse(if: "SELECT COUNT(*) FROM \(table) WHERE \(isDangling) HAVING COUNT(*) > 0") { values in
            "\(Self.count(values)) links of \(name) refer to objects that are no longer of \(target.root.name): "
                + "give the relationship their entity as its destination, or remove the links first"
        }
    }

    private func movesRowsAway(_ table: TableLayout) -> Bool {
        tables.moves.contains { move in
            move.copies.contains { tables.successors[$0.source.name].map { tables.moves[$0].table.name } == table.name }
        }
    }

    private func losesRows(_ table: TableLayout) -> Bool {
        guard let origin = tables.moves.first(where: { $0.table.name == table.name })?.origin else { return false }
        return movesRowsAway(table)
            || ([origin.root] + origin.root.descendants).contains { match.destination(of: $0) == nil && !$0.isAbstract }
    }
}
