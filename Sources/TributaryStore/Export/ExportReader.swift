package import TributaryModel
package import TributarySQLite

/// Reads the objects of a database for an export, all of them of one state.
///
///     let reader = try ExportReader("app.sqlite")
///     let table = try reader.table("users")
///     try reader.open(table)
///     while try reader.next() { print(reader.cell(at: 0).value) }
package final class ExportReader {
    private let path: String
    private let cursor: TableCursor
    private let schema: Schema?
    private let links: ExportLinks?
    /// The model of the entities; nil for a database of another program.
    package let model: Model?
    /// The entities that have objects, in the order in which they are imported.
    package let entities: [String]
    /// The tables and views of other programs.
    package let others: ReadableTable.Names
    private var table: ExportTable?

    /// Opens the database at a path, which is not changed.
    package init(_ path: String) throws {
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
        let links = model.map { ExportLinks($0) }
        self.links = links
        entities = model.flatMap { model in links?.inImportOrder(model).map(\.name) } ?? []
        let own = Set(schema?.tables.map { $0.name.lowercased() } ?? [])
        others = (names.tables.filter { !own.contains($0.lowercased()) }, names.views)
    }

    /// The table of an entity, or of another program.
    ///
    /// - Throws: `StoreError` if a relationship of the entity cannot be written.
    package func table(_ name: String) throws -> ExportTable {
        try cursor.explaining {
            guard entities.contains(name), let model, let entity = model[name], let schema, let links,
                let layout = schema.table(of: entity)
            else { return ExportTable(try ReadableTable(name, on: cursor.connection)) }
            return try ExportTable(entity, layout, links, in: schema, of: path) { relationship in
                try member(for: relationship, of: entity, layout)
            }
        }
    }

    /// The member of a relationship: its name, with a number if members without a column have that name.
    private func member(
        for relationship: RelationshipProperty, of entity: Entity, _ layout: TableLayout
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

    // MARK: Rows

    /// Goes in front of the first row of a table.
    package func open(_ table: ExportTable) throws {
        self.table = table
        try cursor.open(table.rows)
    }

    /// Moves to the next row; false at the end.
    package func next() throws -> Bool { try cursor.next() }

    /// The value in a column of the current row; text and bytes are valid until the next row.
    package func cell(at column: Int) -> SQLCell { cursor.cell(at: column) }

    /// Calls `body` with the keys of a to-many relationship of the current row, in their order.
    package func forEachKey(of list: ExportTable.List, _ body: (SQLCell) throws -> Void) throws {
        guard let table else { return }
        let owner = cursor.cell(at: table.rows.columns.count).integer
        try cursor.explaining {
            try cursor.connection.withUnboundStatement(list.query.text) { statement in
                for index in 0..<statement.parameterCount { try statement.bind(owner, at: index) }
                while try statement.step() { try body(statement.cell(at: 0)) }
            }
        }
    }
}
