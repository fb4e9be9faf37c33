import TributarySQLite

/// The statements that migrate a store from one model to another, in order.
struct MigrationScript {
    let match: ModelMatch
    let source: Schema
    let destination: Schema
    let tables: MigrationTables
    let steps: [MigrationStep]
    /// The parts of the migration, each of which is carried out at once.
    private(set) var work: [(Connection) throws -> Void] = []

    /// Plans the migration of the tables of two schemas.
    init(_ match: ModelMatch, _ source: Schema, _ destination: Schema, steps: [MigrationStep]) {
        (self.match, self.source, self.destination, self.steps) = (match, source, destination, steps)
        tables = MigrationTables(match, source, destination)
        protectUserObjects()
        let renaming: (String, String) -> SQLFragment = { "ALTER TABLE \(identifier: $0) RENAME TO \(identifier: $1)" }
        rename(source.tables.map { ($0.name, tables.current($0.name)) }, renaming)
        rename(source.joins.map { ($0.name, current($0)) }, renaming)
        for move in tables.moves { alter(move) }
        for move in tables.moves { copyRows(move) }
        for move in tables.moves { fill(move) }
        moveLinks()
        for step in steps { compute(step) }
        for move in tables.moves { removeRows(move) }
        cleanReferences()
        dropIndexes()
        for move in tables.moves { dropColumns(move) }
        dropTables()
        for move in tables.moves { declareReferences(move) }
        restoreIndexes()
        for move in tables.moves { check(move) }
        renameNames()
    }

    mutating func execute(_ statement: SQLFragment) { perform { try $0.execute(statement) } }

    mutating func perform(_ body: @escaping (Connection) throws -> Void) { work.append(body) }

    /// Refuses the migration if `query` has a row, whose values complete the reason.
    mutating func refuse(if query: SQLFragment, _ reason: @escaping ([SQLValue]) -> String) {
        perform { if let row = try $0.rows(of: query).first { throw MigrationRefusal(reason: reason(row)) } }
    }

    /// The earlier entities with objects that remain in the model, but not in these tables.
    var leaving: [String] {
        source.tables.flatMap { [$0.root] + $0.root.descendants }.filter { entity in
            !entity.isAbstract && match.destination(of: entity).map { destination.table(of: $0) == nil } ?? false
        }.map(\.name)
    }

    // MARK: Tables

    /// Gives tables or columns other names, in an order in which no two have the same name.
    private mutating func rename(_ all: [(from: String, to: String)], _ statement: (String, String) -> SQLFragment) {
        let names = all.filter { $0.from != $0.to }
        let taken = Set(names.map(\.from.lowercasedASCII))
        let isFree = names.allSatisfy { !taken.contains($0.to.lowercasedASCII) }
        if isFree {
            for (from, to) in names { execute(statement(from, to)) }
        } else {
            for (from, _) in names { execute(statement(from, "_migrating.\(from)")) }
            for (from, to) in names { execute(statement("_migrating.\(from)", to)) }
        }
    }

    /// Creates a table, or renames and adds its columns.
    private mutating func alter(_ move: TableMove) {
        let name = move.table.name
        guard let origin = move.origin else {
            execute(destination.creation(move.table))
            return
        }
        let old = origin.columns.map(\.name) + source.orders(in: origin)
        rename(old.map { ($0, tables.current($0, of: origin.name)) }) {
            "ALTER TABLE \(identifier: name) RENAME COLUMN \(identifier: $0) TO \(identifier: $1)"
        }
        for column in move.columns where column.reusedColumn == nil {
            execute("ALTER TABLE \(identifier: name) ADD COLUMN \(destination.creation(column.layout))")
        }
        for (order, reusedColumn) in move.orders where reusedColumn == nil {
            execute("ALTER TABLE \(identifier: name) ADD COLUMN \(identifier: order) INTEGER")
        }
        alterEntityColumn(move, origin)
    }

    /// Adds the column of entities, and renames the entities of rows.
    private mutating func alterEntityColumn(_ move: TableMove, _ origin: TableLayout) {
        let name = move.table.name
        guard origin.hasSubentities else {
            guard move.table.hasSubentities, let entity = match.destination(of: origin.root) else { return }
            // The entity of a row that the column is added to, because it has no value of its own.
            let literal = Schema.literal(entity.name)
            execute("ALTER TABLE \(identifier: name) ADD COLUMN \"_entity\" TEXT NOT NULL DEFAULT \(literal)")
            return
        }
        let earlier = [origin.root] + origin.root.descendants
        let removed = earlier.filter { match.destination(of: $0) == nil }.map(\.name)
        if !removed.isEmpty {
            execute("DELETE FROM \(identifier: name) WHERE \"_entity\" IN (\(removed.map { SQLFragment($0) }))")
        }
        let renamed = earlier.compactMap { one -> (String, String)? in
            guard let later = match.destination(of: one), later.name != one.name else { return nil }
            return (one.name, later.name)
        }
        guard !renamed.isEmpty else { return }
        let cases = renamed.map { from, to -> SQLFragment in "WHEN \(from) THEN \(to)" }.joined(separator: " ")
        let names = renamed.map { SQLFragment($0.0) }
        execute(
            "UPDATE \(identifier: name) SET \"_entity\" = CASE \"_entity\" \(cases) END WHERE \"_entity\" IN (\(names))"
        )
    }

    // MARK: Rows

    /// The condition that a row of a table is of one of these later entities.
    func condition(_ entities: [Entity], in layout: TableLayout, isEarlier: Bool) -> SQLFragment {
        // A table that stays in place may have the rows of other tables by now.
        let later = tables.successors[layout.name].map { tables.moves[$0].table }
        guard layout.hasSubentities || isEarlier && later?.hasSubentities ?? false else { return "1" }
        // The names were changed in tables that stay in place.
        let isRenamed = !isEarlier || tables.successors[layout.name] != nil
        let names = entities.compactMap { isRenamed ? $0.name : match.source(of: $0)?.name }
        return "\"_entity\" IN (\(names.map { SQLFragment($0) }))"
    }

    /// Copies rows from tables that do not become this one.
    private mutating func copyRows(_ move: TableMove) {
        let name = move.table.name
        for (earlier, entities) in move.copies {
            let old = tables.current(earlier.name)
            let isWanted = condition(entities, in: earlier, isEarlier: true)
            let names = entities.compactMap { match.source(of: $0)?.name }.joined(separator: ", ")
            let target = move.table.root.name
            refuse(
                if: """
                    SELECT 1 WHERE EXISTS (SELECT 1 FROM \(identifier: old) WHERE \(isWanted))
                    AND EXISTS (SELECT 1 FROM \(identifier: name))
                    """
            ) { _ in
                "\(names) would come into the hierarchy of \(target), and both have objects, whose IDs may be equal: "
                    + "delete the objects of one, or keep them apart"
            }
            var (columns, values): ([SQLFragment], [SQLFragment]) = (
                ["\"_pk\"", "\"_version\""], ["\"_pk\"", "\"_version\""]
            )
            if move.table.hasSubentities {
                columns.append("\"_entity\"")
                values.append(choice(entities, earlier) { SQLFragment($0.name) })
            }
            for column in move.columns {
                let known = column.sources.filter { $0.place?.table == earlier.name }
                guard !known.isEmpty else { continue }
                columns.append("\(identifier: column.name)")
                values.append(
                    choice(entities, earlier) { entity in
                        guard let place = known.first(where: { $0.entity == entity })?.place else { return "NULL" }
                        return "\(identifier: tables.current(place.name, of: place.table))"
                    })
            }
            execute(
                "INSERT INTO \(identifier: name) (\(columns)) SELECT \(values) FROM \(identifier: old) WHERE \(isWanted) ORDER BY \"_pk\""
            )
        }
    }

    /// An expression with the value for the entity of a row of an earlier table.
    private func choice(_ entities: [Entity], _ earlier: TableLayout, _ value: (Entity) -> SQLFragment) -> SQLFragment {
        let values = entities.map(value)
        guard earlier.hasSubentities, let first = values.first, values.contains(where: { $0 != first }) else {
            return values.first ?? "NULL"
        }
        let isRenamed = tables.successors[earlier.name] != nil
        let cases = zip(entities, values).map { entity, value -> SQLFragment in
            let name = isRenamed ? entity.name : match.source(of: entity)?.name ?? entity.name
            return "WHEN \(name) THEN \(value)"
        }
        return "CASE \"_entity\" \(cases.joined(separator: " ")) END"
    }

    /// Deletes the rows that were copied elsewhere.
    private mutating func removeRows(_ move: TableMove) {
        for (earlier, entities) in move.copies where tables.successors[earlier.name] != nil {
            let isMoved = condition(entities, in: earlier, isEarlier: true)
            execute("DELETE FROM \(identifier: tables.current(earlier.name)) WHERE \(isMoved)")
        }
    }

    // MARK: Removing

    /// Drops columns that no property has any more.
    private mutating func dropColumns(_ move: TableMove) {
        guard let origin = move.origin else { return }
        let kept = Set(move.columns.compactMap(\.reusedColumn) + move.orders.compactMap(\.reusedColumn))
        for column in origin.columns.map(\.name) + source.orders(in: origin) where !kept.contains(column) {
            let current = tables.current(column, of: origin.name)
            execute("ALTER TABLE \(identifier: move.table.name) DROP COLUMN \(identifier: current)")
        }
        if origin.hasSubentities, !move.table.hasSubentities {
            execute("ALTER TABLE \(identifier: move.table.name) DROP COLUMN \"_entity\"")
        }
    }

    private mutating func dropTables() {
        for join in source.joins where successor(of: join) == nil { execute("DROP TABLE \(identifier: current(join))") }
        for table in source.tables where tables.successors[table.name] == nil {
            execute("DROP TABLE \(identifier: tables.current(table.name))")
        }
    }

    /// Changes which table the foreign keys of columns refer to.
    private mutating func declareReferences(_ move: TableMove) {
        guard let origin = move.origin else { return }
        let name = move.table.name
        for column in move.columns {
            guard let reusedColumn = column.reusedColumn,
                let old = origin.columns.first(where: { $0.name == reusedColumn })
            else {
                continue
            }
            let reference = old.reference.map(tables.current)
            let known = ColumnLayout(name: column.name, storage: old.storage, reference: reference)
            guard known.reference != column.layout.reference else { continue }
            let (from, to) = (destination.creation(known).text, destination.creation(column.layout).text)
            perform { connection in
                var statement = try TableStatement(of: name, on: connection)
                guard statement?.replace(definition: from, with: to) ?? false, let statement else {
                    throw StoreError(
                        .foreign, connection.name,
                        "another program has altered the column \(column.name) of \(name), whose reference changes",
                        hint: "give it the definition \(from) again")
                }
                try connection.setStatement(ofTable: name, to: statement.sql)
            }
        }
    }

    // MARK: Checks

    /// Refuses missing values of required attributes, and objects of abstract entities.
    private mutating func check(_ move: TableMove) {
        let name = move.table.name
        for column in move.columns {
            for (entity, place, property) in column.sources {
                guard let attribute = property.attribute, !attribute.isOptional, attribute.declaration.derivation == nil
                else { continue }
                let old = place.flatMap { _ in match.source(of: property, in: entity)?.attribute }
                guard old?.isOptional ?? true, match.source(of: entity) != nil else { continue }
                let isOf = condition([entity], in: move.table, isEarlier: false)
                refuse(
                    if: """
                        SELECT COUNT(*) FROM \(identifier: name) WHERE \(identifier: column.name) IS NULL AND \(isOf)
                        HAVING COUNT(*) > 0
                        """
                ) { values in
                    "\(Self.count(values)) objects of \(entity.name) have no \(attribute.name), which is required: "
                        + "give it a default, make it optional, or compute it in a custom step"
                }
            }
        }
        for entity in move.entities where entity.isAbstract && match.source(of: entity).map({ !$0.isAbstract }) ?? false
        {
            let isOf = condition([entity], in: move.table, isEarlier: false)
            refuse(if: "SELECT COUNT(*) FROM \(identifier: name) WHERE \(isOf) HAVING COUNT(*) > 0") { values in
                "\(entity.name) becomes abstract, but has \(Self.count(values)) objects of its own: delete them first"
            }
        }
    }

    static func count(_ values: [SQLValue]) -> String {
        if case .integer(let count)? = values.first { "\(count)" } else { "some" }
    }
}
