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
    package func targets(of owners: Set<Int64>, on connection: Connection) throws -> [Int64: Int64] {
        let name: SQLFragment = "t.\(identifier: column)"
        let pairs = try connection.keys.withKeys(owners.sorted()) {
            try connection.rows(
                of: """
                    SELECT t."_pk", \(name) FROM \(identifier: KeyTable.name) AS k
                    CROSS JOIN \(identifier: table) AS t ON t."_pk" = k."c0" WHERE \(name) IS NOT NULL
                    """
            ) { ($0.integer(at: 0), $0.integer(at: 1)) }
        }
        return Dictionary(pairs) { $1 }
    }

    /// Sets the links that differ from the stored ones; returns the objects that have changed.
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
    package func clear(_ targets: [Int64], on connection: Connection) throws {
        let name = SQLIdentifier(column).quoted
        let sql = "UPDATE \(SQLIdentifier(table).quoted) SET \(name) = NULL WHERE \(name) = ?"
        try connection.withUnboundStatement(sql) { statement in
            for target in targets { try statement.run(target) }
        }
    }
}
