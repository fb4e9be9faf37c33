package import TributaryModel
package import TributarySQLite

/// Reads the objects of a database for an export, all of them of one state.
///
///     let reader = try ExportReader("app.sqlite")
///     let table = try reader.table("users")
///     try reader.open(table)
///     while try reader.next() { print(reader.cells[0].value) }
package final class ExportReader {
    private let path: String
    private let cursor: TableCursor
    private let schema: Schema?
    private let links: ExportLinks?
    private let changes: ExportChanges?
    /// The objects that are inside of others.
    package let nesting: ExportNesting
    /// The model of the entities; nil for a database of another program.
    package let model: Model?
    /// The entities that have objects, in the order in which they are imported.
    package let entities: [String]
    /// The tables and views of other programs.
    package let others: ReadableTable.Names
    private var row = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: 1)

    /// Opens the database at a path, which is not changed, to read all objects, or those that undoable runs after one
    /// have changed.
    package init(_ path: String, nesting paths: [String] = [], since run: Int? = nil) throws {
        self.path = path
        let cursor = try TableCursor(path)
        self.cursor = cursor
        let (stored, names) = try cursor.explaining {
            let stored = try StoredModel.read(on: cursor.connection)
            return (stored, try ReadableTable.names(on: cursor.connection, isOwn: stored != nil))
        }
        let model = try stored.flatMap { $0.entities.isEmpty ? nil : try Model($0) }
        self.model = model
        schema = model.map { Schema($0) }
        nesting = try ExportNesting(paths, in: model, of: path)
        let links = model.map { [nesting] in ExportLinks($0, nesting) }
        self.links = links
        entities = model.flatMap { model in links?.inImportOrder(model).map(\.name) } ?? []
        let own = Set(schema?.tables.map { $0.name.lowercased() } ?? [])
        changes = try cursor.explaining { try run.map { try ExportChanges(since: $0, on: cursor.connection) } }
        others = (names.tables.filter { !own.contains($0.lowercased()) }, names.views)
    }

    deinit { row.deallocate() }

    /// The connection, which only reads.
    package var connection: Connection { cursor.connection }

    /// The entities of which all objects with an owner are inside of it.
    package var nestedEntities: Set<String> { Set(nesting.nested.map(\.name)) }

    /// The table of an entity, of which objects that are inside of others may be left out, or of another program.
    ///
    /// - Throws: `StoreError` if a relationship of the entity cannot be written.
    package func table(_ name: String, leavingOutNested: Bool = false) throws -> ExportTable {
        try cursor.explaining {
            guard entities.contains(name), let model, let entity = model[name], let schema, let links,
                let layout = schema.table(of: entity)
            else {
                let changed = changes?.condition(of: name)
                return ExportTable(
                    try ReadableTable(name, where: changed, on: cursor.connection),
                    deleted: changes?.deleted(of: name, []))
            }
            let context = ExportTable.Context(
                schema: schema, links: links, nesting: nesting, changes: changes, store: path, member: member)
            return try ExportTable(entity, layout, context, leavingOutNested: leavingOutNested)
        }
    }

    /// The member of a relationship: its name, with a number if members without a column have that name.
    private func member(
        of relationship: RelationshipProperty, _ entity: Entity, _ layout: TableLayout
    ) throws -> String {
        guard entity.attribute(named: "_rest") != nil else { return relationship.name }
        for number in 1...1000 {
            let name = number == 1 ? relationship.name : "\(relationship.name)_\(number)"
            if number > 1, entity[name] != nil { continue }
            let isTaken = try cursor.connection.hasRows(
                """
                SELECT 1 FROM \(identifier: layout.name) AS t, json_each(t."_rest") AS m \
                WHERE json_valid(t."_rest") AND m."key" = \(name) LIMIT 1
                """)
            if !isTaken { return name }
        }
        return relationship.name
    }

    // MARK: Other programs

    /// The columns of an entity's table that another program has added.
    package func addedColumns(of table: ExportTable) throws -> [String] {
        guard let entity = table.entity, let layout = schema?.table(of: entity) else { return [] }
        let known = Set(["_pk", "_version", "_entity"] + layout.columns.map { $0.name.lowercasedASCII })
        return try cursor.explaining {
            try connection.texts(
                of: "SELECT \"name\" FROM pragma_table_xinfo(\(layout.name)) WHERE \"hidden\" <> 1"
            ).filter { !known.contains($0.lowercasedASCII) && !$0.lowercasedASCII.hasPrefix("_order.") }
        }
    }

    /// The tables of entities to whose primary keys the foreign keys of another program's table lead.
    package func numberedTables(of table: ExportTable) throws -> [String] {
        guard table.entity == nil, let schema else { return [] }
        return try cursor.explaining {
            let targets = try connection.texts(
                of: """
                    SELECT DISTINCT lower("table") FROM pragma_foreign_key_list(\(table.name))
                    WHERE coalesce("to", '_pk') = '_pk' COLLATE NOCASE
                    """)
            return schema.tables.map(\.name).filter { targets.contains($0.lowercasedASCII) }
        }
    }

    // MARK: Rows

    /// Goes in front of the first row of a table.
    package func open(_ table: ExportTable) throws {
        try open(table.rows, columns: table.rows.columns.count + (table.entity == nil ? 0 : 1))
    }

    /// Goes in front of the first of the keys of deleted rows.
    package func open(deleted keys: ReadableTable) throws { try open(keys, columns: keys.columns.count) }

    private func open(_ rows: ReadableTable, columns: Int) throws {
        try cursor.open(rows)
        row.deallocate()
        row = .allocate(capacity: columns)
    }

    /// Moves to the next row; false at the end.
    package func next() throws -> Bool {
        guard try cursor.next() else { return false }
        cursor.readCells(into: row)
        return true
    }

    /// The values of the current row, and after those of the columns of an entity the primary key; text and bytes are
    /// valid until the next row.
    package var cells: UnsafeBufferPointer<SQLCell> { UnsafeBufferPointer(row) }

    /// Calls `body` with each row of the keys or nested objects of the row with a primary key, in their order.
    package func forEach(
        of part: ExportTable.Part, in owner: Int64, _ body: (UnsafeBufferPointer<SQLCell>) throws -> Void
    ) throws {
        try cursor.explaining {
            try cursor.connection.withUnboundStatement(part.query.text) { statement in
                for index in 0..<statement.parameterCount { try statement.bind(owner, at: index) }
                try withUnsafeTemporaryAllocation(of: SQLCell.self, capacity: part.width) { cells in
                    while try statement.step() {
                        statement.readCells(into: cells)
                        try body(UnsafeBufferPointer(cells))
                    }
                }
            }
        }
    }
}
