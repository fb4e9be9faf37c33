package import TributarySQLite

/// An index of columns of a table, with the name that sqlite-utils would give it.
///
///     "idx_users_email"   of users.email
package struct ColumnIndex: Sendable, Hashable {
    /// Why a unique index was not made: rows have the same values.
    package struct Repetition: Error {
        /// The index.
        package let index: ColumnIndex
        /// The values that the most rows have.
        package let values: [SQLValue]
        /// The number of these rows.
        package let rows: Int64
        /// The number of values that several rows have.
        package let count: Int64
    }

    /// The table.
    package let table: String
    /// The columns.
    package let columns: [String]
    /// Whether no two rows may have the same values.
    package let isUnique: Bool

    /// An index of columns of a table.
    package init(of table: String, _ columns: [String], isUnique: Bool) {
        (self.table, self.columns, self.isUnique) = (table, columns, isUnique)
    }

    /// Makes the index in one transaction; returns its name, or nil if the table has one of these columns.
    ///
    /// - Throws: `Repetition`, `StoreError` if the table is being loaded, `SQLiteError`.
    package func make(on connection: Connection) throws -> String? {
        // Rows of an unfinished load are in a file of their own.
        try LoadRow.checkNone(of: table, on: connection)
        return try connection.transaction {
            guard try !exists(on: connection) else { return nil }
            let name = try freeName(on: connection)
            let kind: SQLFragment = isUnique ? "CREATE UNIQUE INDEX" : "CREATE INDEX"
            do {
                try connection.execute("\(kind) \(identifier: name) ON \(identifier: table) (\(list))")
            } catch let error as SQLiteError where error.isUniqueViolation {
                throw try repetition(on: connection) ?? error
            }
            return name
        }
    }

    private var list: [SQLFragment] { columns.map { "\(identifier: $0)" } }

    /// Whether an index of the same columns in the same order finds their values.
    private func exists(on connection: Connection) throws -> Bool {
        let wanted = columns.map(\.lowercasedASCII)
        if wanted.count == 1, try SearchIndex.rowKey(of: table, on: connection)?.lowercasedASCII == wanted[0] {
            return true
        }
        let names = try connection.texts(
            of:
                "SELECT \"name\" FROM pragma_index_list(\(table)) WHERE NOT \"partial\" AND \"unique\" >= \(isUnique ? 1 : 0)"
        )
        return try names.contains { name in
            let parts = try connection.texts(
                of: """
                    SELECT CASE WHEN "desc" OR "coll" <> 'BINARY' THEN '' ELSE coalesce("name", '') END
                    FROM pragma_index_xinfo(\(name)) WHERE "key" ORDER BY "seqno"
                    """)
            return parts.map(\.lowercasedASCII) == wanted
        }
    }

    /// A name that nothing in the database has.
    private func freeName(on connection: Connection) throws -> String {
        let first = "idx_\(table.map { $0 == " " ? "_" : "\($0)" }.joined())_\(columns.joined(separator: "_"))"
        var (name, number) = (first, 1)
        while try connection.hasRows("SELECT 1 FROM sqlite_master WHERE \"name\" = \(name) COLLATE NOCASE") {
            number += 1
            name = "\(first)_\(number)"
        }
        return name
    }

    /// The values that the most rows have.
    private func repetition(on connection: Connection) throws -> Repetition? {
        let present = columns.map { column -> SQLFragment in "\(identifier: column) IS NOT NULL" }
        let groups: SQLFragment =
            "FROM \(identifier: table) WHERE \(present.joined(separator: " AND ")) GROUP BY \(list) HAVING COUNT(*) > 1"
        let found = try connection.rows(of: "SELECT \(list), COUNT(*) \(groups) ORDER BY COUNT(*) DESC LIMIT 1").first
        guard let found, case .integer(let rows)? = found.last else { return nil }
        let count = try connection.value(of: "SELECT COUNT(*) FROM (SELECT 1 \(groups))")
        guard case .integer(let count)? = count else { return nil }
        return Repetition(index: self, values: found.dropLast(), rows: rows, count: count)
    }
}
