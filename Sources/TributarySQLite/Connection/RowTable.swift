/// Rows to insert, as a table of one connection, from which a single statement reads them one by one.
///
///     INSERT OR FAIL INTO "User" ("_pk", "id", "name") SELECT "c0", "c1", "c2" FROM "_rows"
///
/// That costs less than one statement per row, which opens the table each time and searches for its end.
package final class RowTable {
    /// A narrow and a wide table; wide rows are rare, and so many columns cost SQLite time.
    private let tables = [MemoryTable("_rows", width: 64), MemoryTable("_wide_rows", width: 2000)]

    /// The name in SQL of the table for rows of `width` columns.
    package static func name(width: Int) -> String { width <= 64 ? "_rows" : "_wide_rows" }

    /// Registers the tables with their connection.
    func register(on handle: OpaquePointer) -> Int32 {
        tables.lazy.map { $0.register(on: handle) }.first { $0 != 0 } ?? 0
    }

    /// Inserts rows one by one, in the current transaction.
    ///
    /// - Parameters:
    ///   - statement: An `INSERT OR FAIL` that selects its rows from this table.
    ///   - cells: The memory for one row.
    ///   - next: Writes the next row to `cells`; false if there are no more.
    ///   - refused: Called if the current row violates a unique constraint. That row is skipped, earlier rows are kept,
    ///     and the insertion continues with the next one.
    /// - Throws: `SQLiteError`, or the error of a closure; some rows may be inserted then.
    package func insert(
        through statement: Statement, _ cells: UnsafeBufferPointer<SQLCell>, generatedBy next: () throws -> Bool,
        refused: (SQLiteError) throws -> Void
    ) throws {
        try tables[cells.count <= 64 ? 0 : 1].withRows(in: cells, generatedBy: next) {
            var isAtEnd = false
            while !isAtEnd {
                defer { statement.rewind() }
                do {
                    isAtEnd = try !statement.step()
                } catch let error as SQLiteError where error.isUniqueViolation {
                    try refused(error)
                }
            }
        }
    }
}
