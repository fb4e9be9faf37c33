package import TributarySQLite

/// A query for rows of an entity: the SQL with its values, and the layout of its columns.
package struct RowQuery: Sendable {
    /// The SQL with its bound values.
    package let sql: SQLFragment
    /// The positions of the values in a row.
    package let layout: RowLayout

    /// Calls `body` for each row.
    package func forEachRow(on connection: Connection, _ body: (borrowing Statement) throws -> Void) throws {
        try connection.forEachRow(of: sql, body)
    }

    /// The identities of the rows, in their order.
    package func keys(on connection: Connection) throws -> [RowKey] {
        try connection.rows(of: sql) { RowKey(try layout.entity(of: copy $0), $0.integer(at: layout.keyColumn)) }
    }
}
