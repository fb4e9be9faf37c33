/// Keys in memory as a table of one connection: a query joins them like any other.
///
///     SELECT k."rowid", t."_pk" FROM _keys AS k CROSS JOIN "User" AS t ON t."id" = k."c0"
///
/// Keys come in the order in which they were given; so those that are sorted walk through an index from its beginning to
/// its end. Lists bound one by one would be as many parameters, and `json_each` cuts text at U+0000.
public final class KeyTable {
    /// The name of the table in SQL.
    public static let name = "_keys"
    /// The most columns of a key; there is one more for what a query wants besides.
    public static let width = 64

    private let table = MemoryTable(KeyTable.name, width: KeyTable.width + 1)
    /// Whether the latest walk through an index has ended with the greatest key.
    private var isHigh = false

    /// Makes the table known to the connection that has it.
    func register(on handle: OpaquePointer) -> Int32 { table.register(on: handle) }

    /// Whether keys that ascend are best looked up backwards: from where the latest walk has ended, whose pages are still in
    /// memory, to the other end.
    package func turnsBack() -> Bool {
        defer { isHigh.toggle() }
        return isHigh
    }

    /// Calls `body` while the table has the rows in `cells`, each of `width` columns.
    public func withRows<Result>(
        _ cells: UnsafeBufferPointer<SQLCell>, width: Int = 1, _ body: () throws -> Result
    ) rethrows -> Result {
        try table.withRows(cells, width: width, body)
    }
}
