package import TributarySQLite

extension StoredModel {
    /// Adds tables, columns and links to a store of inferred tables, and declares types that suit further values.
    ///
    /// - Throws: `SQLiteError`, `StoreError` if another program has altered a table.
    package static func extend(to model: Model, on connection: Connection) throws {
        guard let stored = try read(on: connection) else { return }
        let (earlier, later) = (try Schema(Model(stored)), Schema(model))
        for table in later.tables {
            guard let known = earlier.tables.first(where: { $0.name == table.name }) else { continue }
            var altered: [(name: String, storage: ColumnLayout.Storage)] = []
            for column in table.columns {
                guard let old = known.columns.first(where: { $0.name == column.name }) else {
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
        }
        for statement in later.restoration() { try connection.execute(statement) }
        try replace(with: model, on: connection)
        connection.clearStatements()
    }
}
