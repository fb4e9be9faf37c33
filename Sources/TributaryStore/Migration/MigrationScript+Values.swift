import TributarySQLite

/// Filling columns.
extension MigrationScript {
    private struct Assignment {
        let entities: [Entity]
        var columns: [SQLFragment]
    }

    /// Copies values into added columns, and sets defaults.
    mutating func fill(_ move: TableMove) {
        var copies: [Assignment] = []
        var others: [Assignment] = []
        func add(_ column: SQLFragment, for entities: [Entity], to list: inout [Assignment]) {
            guard !entities.isEmpty else { return }
            if let index = list.firstIndex(where: { $0.entities == entities }) {
                list[index].columns.append(column)
            } else {
                list.append(Assignment(entities: entities, columns: [column]))
            }
        }
        for column in move.columns {
            let name: SQLFragment = "\(identifier: column.name)"
            // Only rows of the table that stays in place; copied rows have their values.
            let staying = column.sources.filter {
                match.source(of: $0.entity).flatMap(source.table(of:))?.name == move.origin?.name
            }
            let places = Set(staying.compactMap(\.place).filter { $0.name != column.reusedColumn }.map(\.name))
            for place in places.sorted() {
                let current = tables.current(place, of: move.origin?.name ?? "")
                add(
                    name + " = \(identifier: current)",
                    for: staying.filter { $0.place?.name == place }.map(\.entity), to: &copies)
            }
            for (value, isNew) in defaults(column) {
                let entities = column.sources.filter { Self.value(of: $0.property) == value && isAdded($0, isNew) }
                let new: SQLFragment = isNew ? name + " = \(value)" : name + " = COALESCE(" + name + ", \(value))"
                add(new, for: entities.map(\.entity), to: &others)
            }
        }
        for assignment in copies + others { update(move, assignment) }
    }

    private mutating func update(_ move: TableMove, _ assignment: Assignment) {
        let all = move.entities.filter { match.source(of: $0) != nil && !$0.isAbstract }
        let isAll = !move.table.hasSubentities || all.allSatisfy(assignment.entities.contains)
        var statement: SQLFragment = "UPDATE \(identifier: move.table.name) SET \(assignment.columns)"
        if !isAll { statement += " WHERE " + condition(assignment.entities, in: move.table, isEarlier: false) }
        execute(statement)
    }

    /// The defaults of a column that some objects get, and whether these objects had no such attribute.
    private func defaults(_ column: TableMove.Column) -> [(value: SQLValue, isNew: Bool)] {
        var found: [(value: SQLValue, isNew: Bool)] = []
        for one in column.sources {
            guard let value = Self.value(of: one.property) else { continue }
            for isNew in [true, false] where isAdded(one, isNew) {
                if !found.contains(where: { $0.value == value && $0.isNew == isNew }) { found.append((value, isNew)) }
            }
        }
        return found
    }

    /// Whether an attribute is new for the objects of an entity, or existed but becomes required.
    private func isAdded(
        _ one: (entity: Entity, place: TableMove.SourceColumn?, property: Property), _ isNew: Bool
    ) -> Bool {
        guard match.source(of: one.entity) != nil, let attribute = one.property.attribute else { return false }
        if one.place == nil { return isNew && !isComputed(attribute, of: one.entity) }
        let wasOptional = match.source(of: one.property, in: one.entity)?.attribute?.isOptional ?? true
        return !isNew && !attribute.isOptional && wasOptional
    }

    private static func value(of property: Property) -> SQLValue? {
        guard let attribute = property.attribute else { return nil }
        return attribute.declaration.defaultValue?.stored(as: attribute.type)
    }

    // MARK: Custom steps

    private func isComputed(_ attribute: AttributeProperty, of entity: Entity) -> Bool {
        steps.contains { step in
            guard case .values(let name, _, let sets, _) = step.work, let other = destination.model[name] else {
                return false
            }
            return entity.isKind(of: other) && sets.contains(attribute.name)
        }
    }

    /// Computes attributes by a closure, for the objects of an entity and its subentities.
    mutating func compute(_ step: MigrationStep) {
        guard case .values(let name, let reads, let sets, let body) = step.work, let entity = destination.model[name],
            let table = destination.table(of: entity)
        else { return }
        for one in [entity] + entity.descendants {
            guard let earlier = match.source(of: one), let old = source.table(of: earlier) else { continue }
            let from = tables.current(old.name)
            let list = reads.map { read -> SQLFragment in
                guard let column = earlier[read].flatMap({ old.column($0, of: earlier) }) else { return "NULL" }
                return "\(identifier: tables.current(column.name, of: old.name))"
            }
            let columns = sets.compactMap { set in one[set].flatMap { table.column($0, of: one)?.name } }
            let assignments = columns.map { SQLIdentifier($0).quoted + " = ?" }.joined(separator: ", ")
            let update = "UPDATE \(SQLIdentifier(table.name).quoted) SET \(assignments) WHERE \"_pk\" = ?"
            let query: SQLFragment = """
                SELECT \((["\"_pk\""] as [SQLFragment]) + list) FROM \(identifier: from)
                WHERE \(condition([one], in: old, isEarlier: true)) AND "_pk" > 
                """
            perform { connection in
                var last = Int64.min
                var isAtEnd = false
                while !isAtEnd {
                    // Rows are read before they are written, a few at a time.
                    let rows = try connection.rows(of: query + "\(last) ORDER BY \"_pk\" LIMIT 1000")
                    isAtEnd = rows.isEmpty
                    try connection.withUnboundStatement(update) { statement in
                        for row in rows {
                            guard case .integer(let key)? = row.first else { continue }
                            last = key
                            let values = try body(Dictionary(zip(reads, row.dropFirst())) { one, _ in one })
                            if let stranger = values.keys.first(where: { !sets.contains($0) }) {
                                throw MigrationRefusal(
                                    reason:
                                        "a custom step computes \(name).\(stranger), which is not among those that it sets"
                                )
                            }
                            try statement.bind(sets.map { values[$0] ?? .null } + [.integer(key)])
                            try statement.run()
                        }
                    }
                }
            }
        }
    }
}
