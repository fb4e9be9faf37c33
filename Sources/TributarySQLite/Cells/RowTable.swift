/// Rows on their way into a table, as a table of one connection: SQLite takes them one by one in one statement.
///
///     INSERT OR FAIL INTO "User" ("_pk", "id", "name") SELECT "c0", "c1", "c2" FROM "_rows"
///
/// That costs less than a statement for each, which opens the table anew and looks for its end.
package final class RowTable {
    /// Wide tables are rare, and SQLite takes a while to hear of so many columns.
    private let tables = [MemoryTable("_rows", width: 64), MemoryTable("_wide_rows", width: 2000)]

    /// The name in SQL of the one with at least so many columns.
    package static func name(width: Int) -> String { width <= 64 ? "_rows" : "_wide_rows" }

    /// Makes the tables known to the connection that has them.
    func register(on handle: OpaquePointer) -> Int32 {
        for table in tables {
            let result = table.register(on: handle)
            if result != 0 { return result }
        }
        return 0
    }

    /// Runs an insertion, in the transaction at hand, with rows that come one after the other.
    ///
    /// - Parameters:
    ///   - statement: An `INSERT OR FAIL` that takes its rows from here.
    ///   - cells: Where a row stands.
    ///   - next: Puts the next row there; false if there are no more.
    ///   - refused: Hears that the row at hand has a value that is there already and must be unique. It is left out, those
    ///     before stay, and the next one follows.
    /// - Throws: `SQLiteError`, what the closures throw; rows may be inserted then.
    package func insert(
        through statement: Statement, _ cells: UnsafeBufferPointer<SQLCell>, madeBy next: () throws -> Bool,
        refused: (SQLiteError) throws -> Void
    ) throws {
        try tables[cells.count <= 64 ? 0 : 1].withRows(in: cells, madeBy: next) {
            var isAtEnd = false
            while !isAtEnd {
                defer { statement.rewind() }
                do {
                    isAtEnd = try !statement.step()
                } catch let error as SQLiteError where error.code == .uniqueConstraint {
                    try refused(error)
                }
            }
        }
    }
}
