package import TributarySQLite

extension StoredModel {
    /// Adds tables, columns and links to a store of inferred tables, and declares types that suit further values.
    ///
    /// A column that became a link is dropped: it held no values. A table without a key may get one.
    ///
    /// - Throws: `SQLiteError`, `StoreError` if another program has altered a table, if its rows do not allow the key, if
    ///   a column that became a link is needed to undo a run, or if `isDryRun` and there is one.
    package static func extend(to model: Model, isDryRun: Bool, on connection: Connection) throws {
        guard let stored = try read(on: connection) else { return }
        let (earlier, later) = (try Schema(Model(stored)), Schema(model))
        for table in later.tables {
            guard let known = earlier.tables.first(where: { $0.name == table.name }) else { continue }
            let attributes = stored.entities.first { $0.name == table.name }?.attributes.map(\.name) ?? []
            let dropped = attributes.filter { model[table.name]?.attribute(named: $0) == nil }
            let isChanged =
                !dropped.isEmpty || earlier.orders(in: known) != later.orders(in: table)
                || table.columns.contains { column in
                    known.columns.first { $0.name == column.name }?.storage != column.storage
                }
            // The rows of a load are in a file of its own, with the columns that it began with.
            if isChanged { try LoadRow.checkNone(of: table.name, on: connection) }
            let indexes = try SearchIndex.all(isOwn: true, on: connection).filter { index in
                index.table == table.name && dropped.contains(where: index.columns.contains)
            }
            if !isDryRun { for index in indexes { try index.drop(on: connection) } }
            for name in dropped {
                guard !isDryRun else {
                    throw StoreError(
                        .incompatibleModel, connection.name,
                        "\(table.name).\(name) would become a relation, which cannot be tried in a dry run",
                        hint: "import without a dry run, perhaps into a copy of the database")
                }
                try checkIndexes(of: name, in: table.name, on: connection)
                try RecordedTable.drop(name, of: table.name, on: connection)
                try connection.execute("ALTER TABLE \(identifier: table.name) DROP COLUMN \(identifier: name)")
            }
            var altered: [(name: String, storage: ColumnLayout.Storage)] = []
            for column in table.columns {
                let old = known.columns.first { $0.name == column.name && !dropped.contains($0.name) }
                guard let old else {
                    try connection.execute("ALTER TABLE \(identifier: table.name) ADD COLUMN \(later.creation(column))")
                    continue
                }
                if old.storage != column.storage { altered.append((column.name, column.storage)) }
            }
            let orders = earlier.orders(in: known)
            for order in later.orders(in: table) where !orders.contains(order) {
                try connection.execute("ALTER TABLE \(identifier: table.name) ADD COLUMN \(identifier: order) INTEGER")
            }
            try GrowingTable.declare(altered, in: table.name, on: connection)
            for index in indexes { try index.without(dropped)?.create(on: connection) }
        }
        for entity in stored.entities where entity.uniquenessConstraints.isEmpty {
            guard let key = model[entity.name]?.declaration.uniquenessConstraints.first else { continue }
            try checkRows(of: entity.name, allowKey: key, on: connection)
        }
        for statement in later.restoration() { try connection.execute(statement) }
        try replace(with: model, on: connection)
        connection.clearStatements()
    }

    /// Throws if an index needs a column that becomes a relation.
    private static func checkIndexes(of column: String, in table: String, on connection: Connection) throws {
        let indexes = try connection.texts(
            of: """
                SELECT i."name" FROM pragma_index_list(\(table)) AS i, pragma_index_info(i."name") AS c
                WHERE c."name" = \(column) COLLATE NOCASE
                """)
        guard let index = indexes.first else { return }
        throw StoreError(
            .incompatibleModel, connection.name,
            "\(table).\(column) would become a relation, and the index \(index) is of this column",
            hint: "drop the index, then import again")
    }
}
