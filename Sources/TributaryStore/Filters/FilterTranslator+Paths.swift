import TributarySQLite

extension FilterTranslator {
    /// The SQL of the value at the end of a path.
    mutating func follow(_ keys: ArraySlice<String>, from base: FilterSide) throws(FilterError) -> FilterSide {
        var current = base
        var rest = keys
        while let key = rest.popFirst() {
            if key.hasPrefix("@"), !FilterTranslator.hasColumn(key, current) {
                return try aggregate(key, of: current, rest)
            }
            current = try step(key, from: current)
        }
        return current
    }

    /// Whether a row has a column of this name, which may begin as an operator does in a table without a model.
    private static func hasColumn(_ key: String, _ side: FilterSide) -> Bool {
        if case .term(let term) = side { term.entity?[key] != nil } else { false }
    }

    private mutating func step(_ key: String, from base: FilterSide) throws(FilterError) -> FilterSide {
        switch base {
        case .term(let term): return try step(key, from: term)
        case .rows(var rows):
            if rows.isDistinct { throw Self.unsupported("a path from distinct elements") }
            guard let property = try property(key, of: rows.element) else { return base }
            if case .relationship(let relationship) = property, relationship.isToMany {
                return .rows(try join(relationship, to: rows))
            }
            guard case .term(let element) = try step(key, from: rows.element) else { return base }
            rows.element = element
            return .rows(rows)
        case .list: throw Self.unsupported("a path from a list")
        }
    }

    /// The property with the name `key`; nil if the term is null.
    private func property(_ key: String, of term: FilterTerm) throws(FilterError) -> Property? {
        if term.isNull { return nil }
        guard let entity = term.entity else { throw FilterError(.key, "a value has no key \(key)") }
        guard let property = entity[key] else {
            throw FilterError(.key, "\(entity.name) has no key \(key)")
        }
        return property
    }

    private mutating func step(_ key: String, from term: FilterTerm) throws(FilterError) -> FilterSide {
        guard let property = try property(key, of: term), let entity = term.entity else { return .term(.null) }
        if case .relationship(let relationship) = property, relationship.isToMany {
            let row = alias()
            let many = FilterRows(
                tables: "\(identifier: relationship.destination.root.name) AS \(identifier: row)",
                conditions: try link(relationship, from: term.sql, to: row),
                element: FilterTerm(row: row, of: relationship.destination),
                order: ["\(identifier: row).\"_pk\""])
            return .rows(many)
        }
        guard let column = schema.table(of: entity)?.column(property, of: entity) else {
            throw Self.unsupported("\(entity.name).\(key), which is not stored")
        }
        var sql: SQLFragment
        if let row = term.row {
            sql = "\(identifier: row).\(identifier: column.name)"
        } else {
            let row = alias()
            sql = "(SELECT \(identifier: row).\(identifier: column.name) FROM \(identifier: entity.root.name)"
            sql += " AS \(identifier: row) WHERE \(identifier: row).\"_pk\" = \(term.sql))"
        }
        var result: FilterTerm
        switch property {
        case .attribute(let attribute): result = FilterTerm(sql, attribute.declaration.filterKind)
        case .relationship(let relationship): result = FilterTerm(key: sql, of: relationship.destination)
        }
        result.isSimple = term.row != nil
        return .term(result)
    }

    /// The destinations of a to-many relationship of all elements in one collection.
    private mutating func join(
        _ relationship: RelationshipProperty, to rows: FilterRows
    ) throws(FilterError) -> FilterRows {
        var rows = rows
        let row = alias()
        let base = rows.element
        let link = try link(relationship, from: base.sql, to: row)
        // A null element yields one null element.
        let word: SQLFragment = base.isNullable ? " LEFT JOIN " : " JOIN "
        rows.tables += word + "\(identifier: relationship.destination.root.name) AS \(identifier: row) ON "
        rows.tables += link.joined(separator: " AND ")
        if base.isNullable { rows.conditions.append("(\(base.sql) IS NULL OR \(identifier: row).\"_pk\" IS NOT NULL)") }
        rows.element = FilterTerm(row: row, of: relationship.destination, isNullable: base.isNullable)
        rows.order.append("\(identifier: row).\"_pk\"")
        return rows
    }

    /// The conditions that `row` is a destination of a to-many relationship of `owner`.
    func link(
        _ relationship: RelationshipProperty, from owner: SQLFragment, to row: String
    ) throws(FilterError) -> [SQLFragment] {
        let unsupported = Self.unsupported("\(relationship.name), which is not stored")
        if relationship.isTransient { throw unsupported }
        if let inverse = relationship.inverse, !inverse.isToMany {
            guard let column = inverse.column(in: schema) else { throw unsupported }
            let link: SQLFragment = "\(identifier: row).\(identifier: column) = \(owner)"
            // Siblings may share the column.
            return [link] + (tag(inverse.entity, in: row, includesSubentities: true).map { [$0] } ?? [])
        }
        guard let join = schema.join(of: relationship) else { throw unsupported }
        func ends(_ from: String, _ to: String) -> SQLFragment {
            "SELECT \(identifier: to) FROM \(identifier: join.name) WHERE \(identifier: from) = \(owner)"
        }
        var keys = ends(join.source, join.target)
        if relationship == relationship.inverse {
            keys += " UNION \(ends(join.target, join.source))"
        } else if join.relationship != relationship {
            keys = ends(join.target, join.source)
        }
        return ["\(identifier: row).\"_pk\" IN (\(keys))"]
    }

    /// The condition that a row belongs to an entity; nil if all rows of the table do.
    func tag(_ entity: Entity, in row: String, includesSubentities: Bool) -> SQLFragment? {
        let entities = includesSubentities ? [entity] + entity.descendants : [entity]
        guard schema.table(of: entity)?.hasSubentities == true else { return nil }
        if includesSubentities, entity.parent == nil { return nil }
        return "\(identifier: row).\"_entity\" IN (\(entities.map { SQLFragment($0.name) }))"
    }
}
