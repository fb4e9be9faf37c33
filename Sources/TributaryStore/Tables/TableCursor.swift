package import TributarySQLite

/// Reads the rows of tables one by one, all of them of one state of the database.
///
///     let cursor = try TableCursor("app.sqlite")
///     try cursor.open(table)
///     while try cursor.next() { print(cursor.cell(at: 0).value) }
package final class TableCursor {
    private let path: String
    /// The connection, in a transaction that reads.
    let connection: Connection
    private var statement: Statement?

    /// Opens a database, which is not changed.
    package init(_ path: String) throws {
        self.path = path
        var options = Connection.Options()
        options.isReadOnly = true
        do {
            connection = try Connection(.file(path), options: options)
            connection.allowViews()
            try connection.execute("BEGIN")
        } catch let error as SQLiteError {
            throw StoreError.explaining(error, at: .sqlite(path))
        }
    }

    /// Goes in front of the first row of a table.
    package func open(_ table: ReadableTable) throws {
        try explaining { statement = try connection.statement(of: table.query) }
    }

    /// Moves to the next row; false at the end.
    package func next() throws -> Bool { try explaining { try statement?.step() ?? false } }

    /// The value in a column of the current row; text and bytes are valid until the next row.
    package func cell(at column: Int) -> SQLCell { statement?.cell(at: column) ?? .null }

    /// Reads the columns of the current row, as many as there is room for; text and bytes are valid until the next row.
    func readCells(into cells: UnsafeMutableBufferPointer<SQLCell>) { statement?.readCells(into: cells) }

    /// Calls `body`, whose errors are explained.
    func explaining<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SQLiteError {
            throw StoreError.explaining(error, at: .sqlite(path))
        }
    }
}
