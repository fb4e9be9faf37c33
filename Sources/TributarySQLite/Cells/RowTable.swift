/// Rows on their way into a table, as a table of one connection: SQLite takes them one by one in one statement.
///
///     INSERT OR FAIL INTO "User" ("_pk", "id", "name") SELECT "c0", "c1", "c2" FROM "_rows"
///
/// That costs less than a statement for each, which opens the table anew and looks for its end. What `OR FAIL` refuses ends the
/// statement and leaves the rows before it; run again, it goes on with the next one.
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

    /// Calls `body` while the table has the rows that `next` puts into `cells`, one after the other, until it says that
    /// there are no more.
    ///
    /// - Throws: what `next` and `body` throw.
    package func withRows<Result>(
        in cells: UnsafeBufferPointer<SQLCell>, madeBy next: () throws -> Bool, _ body: () throws -> Result
    ) throws -> Result {
        try tables[cells.count <= 64 ? 0 : 1].withRows(in: cells, madeBy: next, body)
    }
}
