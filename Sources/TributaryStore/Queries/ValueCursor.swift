package import TributarySQLite

/// Reads the results of a request one by one, without keeping them.
///
///     let cursor = try database.rows(of: request, in: source)
///     while try cursor.next() { print(cursor.cell(at: 0).value) }
package final class ValueCursor {
    /// A column of the result.
    package struct Column: Sendable {
        /// The name.
        package let name: String
        /// What its cells are; nil if only `value(at:)` tells.
        package let meaning: ReadableTable.Meaning?
        fileprivate let kind: FilterKind

        init(_ column: ValueQuery.Column, _ expression: FilterExpression, in source: QuerySource) {
            (name, kind) = (column.name, column.kind)
            if case .keyPath(let path) = expression, let meaning = source.meaning(of: path) {
                self.meaning = meaning
                return
            }
            switch column.kind {
            case .boolean: meaning = .attribute(.boolean)
            case .date: meaning = .attribute(.date)
            case .number: meaning = .attribute(.decimal)
            case .moment, .any: meaning = nil
            default: meaning = .plain
            }
        }
    }

    /// The columns.
    package let columns: [Column]
    private let connection: Connection
    private let statement: Statement
    private let store: String

    /// A query in front of its first row; `store` names the database in errors.
    init(_ query: ValueQuery, _ columns: [Column], on connection: Connection, store: String) throws {
        (self.columns, self.connection, self.store) = (columns, connection, store)
        statement = try connection.statement(of: query.sql)
    }

    /// Moves to the next row; false at the end.
    package func next() throws -> Bool {
        do {
            return try statement.step()
        } catch let error as SQLiteError {
            throw StoreError.explaining(error, at: .sqlite(store))
        }
    }

    /// The number of values of a row, of which more than `columns` may be read by their places.
    var resultCount: Int { statement.columnCount }

    /// The value in a column of the current row, as it is stored; text and bytes are valid until the next row.
    package func cell(at column: Int) -> SQLCell { statement.cell(at: column) }

    /// The value in a column of the current row.
    package func value(at column: Int) -> FilterValue {
        FilterCodec.decode(statement.value(at: column), as: columns[column].kind)
    }
}
