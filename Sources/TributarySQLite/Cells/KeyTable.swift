import CTributarySQLite

/// Rows that lie in memory, as a table of one connection: a query joins them like any other.
///
///     SELECT k."row", t."_pk" FROM _keys AS k CROSS JOIN "User" AS t ON t."id" = k."c0"
///
/// Values come in the order in which they were given; so keys that are sorted walk through an index from its beginning to
/// its end. Lists bound one by one would be as many parameters, and `json_each` cuts text at U+0000.
public final class KeyTable {
    /// The name of the table in SQL.
    public static let name = "_keys"
    /// The most columns.
    public static let width = 64

    /// What the cursors see.
    fileprivate struct Rows {
        var cells = UnsafeBufferPointer<SQLCell>(start: nil, count: 0)
        var width = 1
        var count: Int { cells.count / width }
    }

    fileprivate var rows = Rows()
    /// Whether the latest walk through an index has ended with the greatest key.
    private var isHigh = false

    /// Makes the table known to the connection that has it.
    func register(on handle: OpaquePointer) -> Int32 {
        let context = Unmanaged.passRetained(self).toOpaque()
        return sqlite3_create_module_v2(handle, KeyTable.name, KeyTable.module, context) { context in
            context.map { Unmanaged<KeyTable>.fromOpaque($0).release() }
        }
    }

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
        let earlier = rows
        rows = Rows(cells: cells, width: width)
        defer { rows = earlier }
        return try body()
    }

    /// What SQLite calls.
    ///
    /// SQLite wants a place that does not move. It is a pointer to one, written once: a variable that is handed on
    /// with `&` counts as changed, and stores of several threads would change it at the same time.
    nonisolated(unsafe) private static let module: UnsafePointer<sqlite3_module> = {
        var module = sqlite3_module()
        module.iVersion = 0
        module.xConnect = { database, context, _, _, table, _ in
            let columns = (0..<KeyTable.width).map { "c\($0)" }.joined(separator: ", ")
            let declared = sqlite3_declare_vtab(database, "CREATE TABLE x(\"row\", \(columns))")
            guard declared == SQLITE_OK else { return declared }
            let made = UnsafeMutablePointer<Table>.allocate(capacity: 1)
            made.initialize(to: Table(base: sqlite3_vtab(), context: context))
            table?.pointee = UnsafeMutableRawPointer(made).assumingMemoryBound(to: sqlite3_vtab.self)
            return SQLITE_OK
        }
        module.xDisconnect = { table in
            table.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: Table.self).deallocate() }
            return SQLITE_OK
        }
        module.xBestIndex = { _, info in
            info?.pointee.estimatedCost = 100
            info?.pointee.estimatedRows = 100
            return SQLITE_OK
        }
        module.xOpen = { table, cursor in
            let made = UnsafeMutablePointer<Cursor>.allocate(capacity: 1)
            let context = table.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: Table.self).pointee.context }
            made.initialize(to: Cursor(base: sqlite3_vtab_cursor(), context: context ?? nil))
            cursor?.pointee = UnsafeMutableRawPointer(made).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
            return SQLITE_OK
        }
        module.xClose = { cursor in
            KeyTable.cursor(cursor)?.deallocate()
            return SQLITE_OK
        }
        module.xFilter = { cursor, _, _, _, _ in
            guard let cursor = KeyTable.cursor(cursor), let context = cursor.pointee.context else {
                return SQLITE_MISUSE
            }
            cursor.pointee.rows = Unmanaged<KeyTable>.fromOpaque(context).takeUnretainedValue().rows
            cursor.pointee.row = 0
            return SQLITE_OK
        }
        module.xNext = { cursor in
            KeyTable.cursor(cursor)?.pointee.row += 1
            return SQLITE_OK
        }
        module.xEof = { cursor in
            guard let cursor = KeyTable.cursor(cursor) else { return 1 }
            return cursor.pointee.row >= cursor.pointee.rows.count ? 1 : 0
        }
        module.xColumn = { cursor, context, column in
            guard let cursor = KeyTable.cursor(cursor) else { return SQLITE_MISUSE }
            let rows = cursor.pointee.rows
            if column == 0 {
                sqlite3_result_int64(context, Int64(cursor.pointee.row))
            } else if Int(column) <= rows.width {
                KeyTable.give(rows.cells[cursor.pointee.row * rows.width + Int(column) - 1], to: context)
            }
            return SQLITE_OK
        }
        module.xRowid = { cursor, row in
            row?.pointee = Int64(KeyTable.cursor(cursor)?.pointee.row ?? 0)
            return SQLITE_OK
        }
        let place = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
        place.initialize(to: module)
        return UnsafePointer(place)
    }()

    private static func cursor(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> UnsafeMutablePointer<Cursor>? {
        cursor.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: Cursor.self) }
    }

    private static func give(_ cell: SQLCell, to context: OpaquePointer?) {
        switch cell.kind {
        case .absent, .null: sqlite3_result_null(context)
        case .integer: sqlite3_result_int64(context, cell.integer)
        case .real: sqlite3_result_double(context, cell.real)
        case .text: tributary_sqlite_result_text_static(context, cell.bytes.baseAddress, cell.bytes.count)
        case .blob: tributary_sqlite_result_blob_static(context, cell.bytes.baseAddress, cell.bytes.count)
        }
    }

    /// What SQLite keeps of the table; what it knows of comes first.
    private struct Table {
        var base: sqlite3_vtab
        var context: UnsafeMutableRawPointer?
    }

    /// A walk over the rows; what SQLite knows of comes first.
    private struct Cursor {
        var base: sqlite3_vtab_cursor
        var context: UnsafeMutableRawPointer?
        var rows = Rows()
        var row = 0
    }
}
