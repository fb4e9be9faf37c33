/// Keys in memory as a table of one connection, which a query joins like any other table.
///
///     SELECT k."rowid", t."_pk" FROM _keys AS k CROSS JOIN "User" AS t ON t."id" = k."c0"
///
/// The rows keep the order of the keys, so sorted keys are looked up in an index from one end to the other. Keys bound
/// one by one would need as many parameters, and `json_each` truncates text at U+0000.
package final class KeyTable {
    /// The name of the table in SQL.
    package static let name = "_keys"
    /// The maximum number of columns of a key; the table has one more column for other values of a query.
    package static let width = 64

    private let table = MemoryTable(KeyTable.name, width: KeyTable.width + 1)
    /// The direction of the next lookup.
    private var direction = Direction.ascending

    /// Registers the table with its connection.
    func register(on handle: OpaquePointer) -> Int32 { table.register(on: handle) }

    /// The order in which sorted keys are looked up.
    package enum Direction { case ascending, descending }

    /// Returns the direction of the next lookup, which is opposite to the previous one.
    ///
    /// The lookup then starts at the end of the index where the previous one ended, whose pages are still in memory.
    package func alternateDirection() -> Direction {
        defer { direction = direction == .ascending ? .descending : .ascending }
        return direction
    }

    /// Calls `body` while the table contains keys of one column.
    package func withKeys<Result>(_ keys: [Int64], _ body: () throws -> Result) rethrows -> Result {
        try keys.map { SQLCell($0) }.withUnsafeBufferPointer { try withRows($0, body) }
    }

    /// Calls `body` while the table contains the rows in `cells`, each of `width` columns.
    package func withRows<Result>(
        _ cells: UnsafeBufferPointer<SQLCell>, width: Int = 1, _ body: () throws -> Result
    ) rethrows -> Result {
        try table.withRows(cells, width: width, body)
    }
}
