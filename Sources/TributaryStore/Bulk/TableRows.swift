package import TributarySQLite

/// All rows of a table.
package enum TableRows {
    /// Whether a table has no rows, or does not exist.
    package static func isEmpty(_ table: String, on connection: Connection) throws -> Bool {
        guard try connection.hasTable(table) else { return true }
        return try !connection.hasRows("SELECT 1 FROM \(identifier: table)")
    }

    /// The number of rows of a table, or `limit` if it has more.
    package static func count(_ table: String, upTo limit: Int, on connection: Connection) throws -> Int {
        try Int(connection.integer(of: "SELECT COUNT(*) FROM (SELECT 1 FROM \(identifier: table) LIMIT \(limit))") ?? 0)
    }

    /// Whether a column has a value other than null and an empty JSON array.
    package static func holdsValues(_ column: String, of table: String, on connection: Connection) throws -> Bool {
        try connection.hasRows(
            "SELECT 1 FROM \(identifier: table) WHERE \(identifier: column) <> '[]' LIMIT 1")
    }

    /// Deletes all rows of a table.
    package static func deleteAll(_ table: String, on connection: Connection) throws {
        try connection.execute("DELETE FROM \(identifier: table)")
        try checkDeletion(of: "1", from: table, on: connection)
    }

    /// Throws if a trigger has kept rows of a condition, which were deleted.
    static func checkDeletion(of condition: SQLFragment, from table: String, on connection: Connection) throws {
        guard try connection.tablesWithTriggers().contains(table),
            try connection.hasRows("SELECT 1 FROM \(identifier: table) WHERE " + condition + " LIMIT 1")
        else { return }
        throw StoreError(
            .foreign, connection.name, "a trigger of \(table) keeps rows that are to be deleted",
            hint: "change the trigger; nothing was deleted")
    }

    /// The first of some columns whose values are present and unique in all rows.
    package static func uniqueColumn(
        of table: String, among columns: [String], on connection: Connection
    ) throws -> (column: String, rows: Int)? {
        for column in columns {
            var rows: Int?
            try connection.forEachRow(
                of: """
                    SELECT COUNT(*), COUNT(\(identifier: column)), COUNT(DISTINCT \(identifier: column))
                    FROM \(identifier: table)
                    """
            ) { row in
                let counts = (0..<3).map { row.integer(at: $0) }
                if counts[0] > 0, counts.allSatisfy({ $0 == counts[0] }) { rows = Int(counts[0]) }
            }
            if let rows { return (column, rows) }
        }
        return nil
    }
}
