package import TributarySQLite

/// The column of a to-one relationship.
package struct LinkColumn: Sendable {
    private let table: String
    private let column: String

    /// The column of a relationship; nil if it has none.
    package init?(_ relationship: RelationshipProperty, of entity: Entity, in schema: Schema) {
        guard let layout = schema.table(of: entity),
            let column = layout.column(.relationship(relationship), of: entity)
        else { return nil }
        (table, self.column) = (layout.name, column.name)
    }

    /// The objects that owners lead to.
    ///
    /// - Throws: `SQLiteError`.
    package func targets(of owners: Set<Int64>, on connection: Connection) throws -> [Int64: Int64] {
        var found: [Int64: Int64] = [:]
        let name = SQLIdentifier(column).quoted
        let sql =
            "SELECT t.\"_pk\", t.\(name) FROM \(SQLIdentifier(KeyTable.name).quoted) AS k"
            + " CROSS JOIN \(SQLIdentifier(table).quoted) AS t ON t.\"_pk\" = k.\"c0\" WHERE t.\(name) IS NOT NULL"
        let cells = owners.sorted().map { SQLCell($0) }
        try cells.withUnsafeBufferPointer { cells in
            try connection.keys.withRows(cells, width: 1) {
                try connection.withUnboundStatement(sql) { row in
                    while try row.step() { found[row.integer(at: 0)] = row.integer(at: 1) }
                }
            }
        }
        return found
    }

    /// Sets the links that differ from the stored ones; returns the objects that have changed.
    ///
    /// - Throws: `SQLiteError`.
    func write(_ links: [Int64: Int64], stored: [Int64: Int64], on connection: Connection) throws -> Set<Int64> {
        let changed = Set(stored.keys).union(links.keys).filter { stored[$0] != links[$0] }
        guard !changed.isEmpty else { return [] }
        let sql =
            "UPDATE \(SQLIdentifier(table).quoted) SET \(SQLIdentifier(column).quoted) = ?,"
            + " \"_version\" = \"_version\" + 1 WHERE \"_pk\" = ?"
        try connection.withUnboundStatement(sql) { statement in
            for key in changed.sorted() { try statement.run(links[key], key) }
        }
        return changed
    }

    /// Clears the column where it leads to rows that are not there.
    ///
    /// - Throws: `SQLiteError`.
    package func clear(_ targets: [Int64], on connection: Connection) throws {
        let name = SQLIdentifier(column).quoted
        let sql = "UPDATE \(SQLIdentifier(table).quoted) SET \(name) = NULL WHERE \(name) = ?"
        try connection.withUnboundStatement(sql) { statement in
            for target in targets { try statement.run(target) }
        }
    }
}
