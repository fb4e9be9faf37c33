import TributarySQLite

/// A foreign key between tables of another program.
package struct TableReference: Sendable, Hashable {
    /// A column, and the one of the other table that has the same value.
    package struct Pair: Sendable, Hashable {
        /// The column of the table with the foreign key.
        package let from: String
        /// The column of the table it leads to.
        package let to: String
    }

    /// The table with the foreign key.
    package let table: String
    /// The table it leads to.
    package let destination: String
    /// The columns.
    package let pairs: [Pair]

    /// The columns with the foreign key.
    package var name: String { pairs.map(\.from).joined(separator: ", ") }
}

extension QueryableDatabase {
    /// The foreign keys of a table to tables that exist.
    package func references(from table: String) throws -> [TableReference] {
        let rows = try explaining {
            try connection.rows(
                of: """
                    SELECT "id", "table", "from", "to" FROM pragma_foreign_key_list(\(table), 'main') ORDER BY "id", "seq"
                    """
            ) { row in
                (
                    id: row.integer(at: 0), destination: row.text(at: 1), from: row.text(at: 2),
                    to: row.isNull(at: 3) ? nil : row.text(at: 3)
                )
            }
        }
        return try Dictionary(grouping: rows, by: \.id).sorted { $0.key > $1.key }.compactMap { _, rows in
            guard let destination = tablesByFoldedName[rows[0].destination.lowercasedASCII] else { return nil }
            // Without names, the columns are those of the primary key.
            let keys = try rows.contains { $0.to == nil } ? primaryKey(of: destination).first ?? [] : []
            let ends = rows.enumerated().compactMap { $1.to ?? (keys.indices.contains($0) ? keys[$0] : nil) }
            guard ends.count == rows.count else { return nil }
            return TableReference(
                table: table, destination: destination,
                pairs: zip(rows, ends).map { TableReference.Pair(from: $0.from, to: $1) })
        }
    }

    /// The foreign keys of all tables to a table.
    package func references(to table: String) throws -> [TableReference] {
        try names.tables.flatMap { try references(from: $0) }.filter { $0.destination == table }
    }
}
