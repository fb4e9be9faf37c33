import CTributarySQLite

/// Rows in memory, or rows generated one by one, as a table of one connection.
///
/// The columns are `c0`, `c1` and so on; the `rowid` counts the rows, from 0.
final class MemoryTable {
    /// The name of the table in SQL.
    let name: String
    /// The number of columns.
    let width: Int

    /// The source of the rows.
    private struct Source {
        /// The cells of the first row; other rows follow it, or are generated in the same memory.
        var first: UnsafePointer<SQLCell>?
        /// The number of cells in a row.
        var width = 0
        /// The number of rows in memory.
        var count = 0
        /// Generates the next row; false if there is none.
        var next: (() throws -> Bool)?
    }

    private var source = Source()
    /// The error of `next`, if it threw one.
    private var failure: (any Error)?

    init(_ name: String, width: Int) {
        self.name = name
        self.width = width
    }

    /// Registers the table with its connection.
    func register(on handle: OpaquePointer) -> Int32 {
        let context = Unmanaged.passRetained(self).toOpaque()
        return sqlite3_create_module_v2(handle, name, MemoryTable.module, context) { context in
            context.map { Unmanaged<MemoryTable>.fromOpaque($0).release() }
        }
    }

    /// Calls `body` while the table contains the rows in `cells`, each of `width` columns.
    func withRows<Result>(
        _ cells: UnsafeBufferPointer<SQLCell>, width: Int, _ body: () throws -> Result
    ) rethrows -> Result {
        let earlier = source
        source = Source(first: cells.baseAddress, width: width, count: cells.count / width)
        defer { source = earlier }
        return try body()
    }

    /// Calls `body` while the table contains the rows that `next` generates in `cells`, until it returns false.
    func withRows<Result>(
        in cells: UnsafeBufferPointer<SQLCell>, generatedBy next: () throws -> Bool, _ body: () throws -> Result
    ) throws -> Result {
        try withoutActuallyEscaping(next) { next in
            let earlier = source
            source = Source(first: cells.baseAddress, width: cells.count, next: next)
            defer {
                source = earlier
                failure = nil
            }
            do {
                return try body()
            } catch {
                throw failure ?? error
            }
        }
    }

    // MARK: Cursors

    /// Moves a cursor to the first row.
    private func begin(_ cursor: inout Cursor) -> Int32 {
        cursor.row = 0
        cursor.width = source.width
        cursor.count = source.count
        cursor.cells = source.first
        cursor.isGenerated = source.next != nil
        if cursor.isGenerated { return generate(&cursor) }
        cursor.isAtEnd = cursor.count == 0
        return SQLITE_OK
    }

    /// Moves a cursor to the next row.
    private func advance(_ cursor: inout Cursor) -> Int32 {
        cursor.row += 1
        if cursor.isGenerated { return generate(&cursor) }
        cursor.cells = cursor.cells.map { $0 + cursor.width }
        cursor.isAtEnd = cursor.row >= cursor.count
        return SQLITE_OK
    }

    private func generate(_ cursor: inout Cursor) -> Int32 {
        do {
            cursor.isAtEnd = try !(source.next?() ?? false)
            return SQLITE_OK
        } catch {
            failure = error
            return SQLITE_ABORT
        }
    }

    /// The callbacks for SQLite.
    ///
    /// SQLite needs them at a fixed address, so they are allocated once. A variable passed with `&` would count as
    /// modified, and connections on several threads would pass it at the same time.
    nonisolated(unsafe) private static let module: UnsafePointer<sqlite3_module> = {
        var module = sqlite3_module()
        module.iVersion = 0
        module.xConnect = { database, context, _, _, table, _ in
            guard let context else { return SQLITE_MISUSE }
            let width = Unmanaged<MemoryTable>.fromOpaque(context).takeUnretainedValue().width
            let columns = (0..<width).map { "c\($0)" }.joined(separator: ", ")
            let declared = sqlite3_declare_vtab(database, "CREATE TABLE x(\(columns))")
            guard declared == SQLITE_OK else { return declared }
            // A trigger or view of a hostile file cannot use it.
            tributary_sqlite_use_directly(database)
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
            guard let table else { return SQLITE_MISUSE }
            let made = UnsafeMutablePointer<Cursor>.allocate(capacity: 1)
            let context = UnsafeMutableRawPointer(table).assumingMemoryBound(to: Table.self).pointee.context
            made.initialize(to: Cursor(base: sqlite3_vtab_cursor(), table: .fromOpaque(context)))
            cursor?.pointee = UnsafeMutableRawPointer(made).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
            return SQLITE_OK
        }
        module.xClose = { cursor in
            MemoryTable.cursor(cursor)?.deallocate()
            return SQLITE_OK
        }
        module.xFilter = { cursor, _, _, _, _ in
            guard let cursor = MemoryTable.cursor(cursor) else { return SQLITE_MISUSE }
            return cursor.pointee.table._withUnsafeGuaranteedRef { $0.begin(&cursor.pointee) }
        }
        module.xNext = { cursor in
            guard let cursor = MemoryTable.cursor(cursor) else { return SQLITE_MISUSE }
            return cursor.pointee.table._withUnsafeGuaranteedRef { $0.advance(&cursor.pointee) }
        }
        module.xEof = { cursor in MemoryTable.cursor(cursor)?.pointee.isAtEnd ?? true ? 1 : 0 }
        module.xColumn = { cursor, context, column in
            guard let cursor = MemoryTable.cursor(cursor), Int(column) < cursor.pointee.width,
                let cells = cursor.pointee.cells
            else { return SQLITE_OK }
            MemoryTable.setResult(of: context, to: cells[Int(column)])
            return SQLITE_OK
        }
        module.xRowid = { cursor, row in
            row?.pointee = Int64(MemoryTable.cursor(cursor)?.pointee.row ?? 0)
            return SQLITE_OK
        }
        let pointer = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
        pointer.initialize(to: module)
        return UnsafePointer(pointer)
    }()

    @inline(__always)
    private static func cursor(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> UnsafeMutablePointer<Cursor>? {
        cursor.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: Cursor.self) }
    }

    @inline(__always)
    private static func setResult(of context: OpaquePointer?, to cell: SQLCell) {
        switch cell.kind {
        // A column is null by default.
        case .absent, .null: break
        case .integer: sqlite3_result_int64(context, cell.integer)
        case .real: sqlite3_result_double(context, cell.real)
        case .text: tributary_sqlite_result_text_static(context, cell.bytes.baseAddress, cell.bytes.count)
        case .blob: tributary_sqlite_result_blob_static(context, cell.bytes.baseAddress, cell.bytes.count)
        }
    }

    /// The table for SQLite, which requires `base` to be the first member.
    private struct Table {
        var base: sqlite3_vtab
        var context: UnsafeMutableRawPointer
    }

    /// A cursor over the rows, for SQLite, which requires `base` to be the first member.
    private struct Cursor {
        var base: sqlite3_vtab_cursor
        /// The table; not retained, because the connection keeps it longer than any cursor.
        var table: Unmanaged<MemoryTable>
        /// The cells of the current row.
        var cells: UnsafePointer<SQLCell>?
        var width = 0
        var count = 0
        var row = 0
        /// Whether the rows are generated one by one.
        var isGenerated = false
        var isAtEnd = true
    }
}
