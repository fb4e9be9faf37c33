/// Which tables and columns of an earlier schema become those of a later one.
struct MigrationTables {
    let match: ModelMatch
    let source: Schema
    let destination: Schema
    private(set) var moves: [TableMove] = []
    /// The later table of each earlier one that stays in place, by name.
    private(set) var successors: [String: Int] = [:]

    init(_ match: ModelMatch, _ source: Schema, _ destination: Schema) {
        (self.match, self.source, self.destination) = (match, source, destination)
        var origins = [TableLayout?](repeating: nil, count: destination.tables.count)
        // A table goes where its root goes, otherwise to the first that takes rows of it.
        for isOfRoot in [true, false] {
            for (index, table) in destination.tables.enumerated() where origins[index] == nil {
                let earlier =
                    isOfRoot
                    ? match.source(of: table.root).map { [$0] } ?? []
                    : ([table.root] + table.root.descendants).compactMap { match.source(of: $0)?.root }
                for entity in earlier where !isOfRoot || entity.parent == nil {
                    guard let found = source.table(of: entity), successors[found.name] == nil else { continue }
                    origins[index] = found
                    successors[found.name] = index
                    break
                }
            }
        }
        for (table, origin) in zip(destination.tables, origins) { moves.append(move(to: table, origin)) }
    }

    private func move(to table: TableLayout, _ origin: TableLayout?) -> TableMove {
        let entities = [table.root] + table.root.descendants
        var copies: [(source: TableLayout, entities: [Entity])] = []
        for entity in entities {
            guard let earlier = match.source(of: entity), let found = source.table(of: earlier),
                found.name != origin?.name
            else { continue }
            if let index = copies.firstIndex(where: { $0.source.name == found.name }) {
                copies[index].entities.append(entity)
            } else {
                copies.append((found, [entity]))
            }
        }
        var used: Set<String> = []
        var columns: [TableMove.Column] = []
        for (index, layout) in table.columns.enumerated() {
            var sources: [(entity: Entity, place: TableMove.SourceColumn?, property: Property)] = []
            for entity in entities {
                guard let slot = table.places[entity.index]?.firstIndex(of: index) else { continue }
                let property = entity.properties[slot]
                sources.append((entity, place(of: property, in: entity), property))
            }
            let reusedColumn = reusedColumn(sources, layout, origin, used, entities)
            if let reusedColumn { used.insert(reusedColumn) }
            columns.append(
                TableMove.Column(name: layout.name, reusedColumn: reusedColumn, sources: sources, layout: layout))
        }
        let orders = destination.orderedRelationships(in: table).map { relationship in
            let earlier = match.source(of: relationship)
            let isSame =
                earlier.map { one in
                    one.isToMany && one.isOrdered && one.inverse?.isToMany == false
                        && one.destination.root.name == origin?.name
                } ?? false
            return (Schema.orderColumn(relationship), isSame ? earlier.map(Schema.orderColumn) : nil)
        }
        return TableMove(table: table, origin: origin, copies: copies, columns: columns, orders: orders)
    }

    /// The earlier column from which a property of a later entity has its values.
    private func place(of property: Property, in entity: Entity) -> TableMove.SourceColumn? {
        guard let earlier = match.source(of: entity), let layout = source.table(of: earlier),
            let old = match.source(of: property, in: entity)
        else { return nil }
        if let one = property.relationship, let other = old.relationship, one.isToMany || other.isToMany { return nil }
        return layout.column(old, of: earlier).map { TableMove.SourceColumn(table: layout.name, name: $0.name) }
    }

    /// The earlier column that can become a later one; nil if its values have to be copied.
    private func reusedColumn(
        _ sources: [(entity: Entity, place: TableMove.SourceColumn?, property: Property)], _ layout: ColumnLayout,
        _ origin: TableLayout?, _ used: Set<String>, _ entities: [Entity]
    ) -> String? {
        guard let origin else { return nil }
        let places = Set(sources.compactMap(\.place).filter { $0.table == origin.name }.map(\.name))
        guard let name = places.first, places.count == 1, !used.contains(name),
            let old = origin.columns.first(where: { $0.name == name })
        else { return nil }
        // Links and custom steps still read what other objects have there.
        let isShared = entities.contains { entity in
            guard let earlier = match.source(of: entity), source.table(of: earlier)?.name == origin.name else {
                return false
            }
            return uses(name, earlier) && sources.first { $0.entity == entity }?.place?.name != name
        }
        return old.storage == layout.storage && !isShared ? name : nil
    }

    /// Whether the objects of an earlier entity have values in a column of its table.
    func uses(_ column: String, _ earlier: Entity) -> Bool {
        guard let layout = source.table(of: earlier) else { return false }
        return earlier.properties.contains { layout.column($0, of: earlier)?.name == column }
    }

    /// The earlier table that becomes the table of a later root entity.
    func origin(of root: Entity) -> String? { moves.first { $0.table.root == root }?.origin?.name }

    // MARK: Names during the migration

    /// The name that an earlier table has until it is dropped.
    func current(_ table: String) -> String {
        if let index = successors[table] { return moves[index].table.name }
        let names = destination.tables.map(\.name) + destination.joins.map(\.name)
        return names.contains { $0.lowercasedASCII == table.lowercasedASCII } ? TableMove.temporaryName(table) : table
    }

    /// The name that a column of an earlier table has until it is dropped.
    func current(_ column: String, of table: String) -> String {
        guard let index = successors[table] else { return column }
        let move = moves[index]
        if let known = move.columns.first(where: { $0.reusedColumn == column }) { return known.name }
        if let known = move.orders.first(where: { $0.reusedColumn == column }) { return known.name }
        let names = move.columns.map(\.name) + move.orders.map(\.name)
        return names.contains { $0.lowercasedASCII == column.lowercasedASCII }
            ? TableMove.temporaryName(column) : column
    }
}
