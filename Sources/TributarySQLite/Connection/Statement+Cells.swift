import CTributarySQLite

extension Statement {
    /// Binds a cell, an absent one as null; its bytes must stay valid until the statement is reset or bound again.
    @inline(__always)
    public func bind(_ cell: SQLCell, at index: Int) throws {
        switch cell.kind {
        case .absent, .null: try bindNull(at: index)
        case .integer: try bind(cell.integer, at: index)
        case .real: try bind(cell.real, at: index)
        case .text: try bind(unmovedText: cell.bytes, at: index)
        case .blob: try bind(unmovedBlob: cell.bytes, at: index)
        }
    }

    /// The value in a column of the current row; text and bytes are valid until the next row.
    ///
    /// One lookup of the column is faster than separate lookups of its type, its bytes and their number.
    @inline(__always)
    public func cell(at column: Int) -> SQLCell { SQLCell(sqlite3_column_value(handle, Int32(column))) }

    /// Reads the columns of the current row, as many as there is room for; text and bytes are valid until the next row.
    package func readCells(into cells: UnsafeMutableBufferPointer<SQLCell>) {
        for column in cells.indices { cells.initializeElement(at: column, to: cell(at: column)) }
    }

    /// Whether the column of the current row has the value and the kind of the cell; true for an absent cell.
    ///
    /// One lookup of the column is faster than separate lookups of its type, its bytes and their number.
    @inline(__always)
    public func holds(_ cell: SQLCell, at column: Int) -> Bool {
        if cell.kind == .absent { return true }
        let value = sqlite3_column_value(handle, Int32(column))
        let stored = sqlite3_value_type(value)
        switch cell.kind {
        case .absent, .null: return stored == SQLITE_NULL
        case .integer:
            if stored == SQLITE_INTEGER { return sqlite3_value_int64(value) == cell.integer }
            // A column of REAL has whole numbers as doubles.
            return stored == SQLITE_FLOAT && SQLCell.areEqual(sqlite3_value_double(value), cell.integer)
        case .real:
            if stored == SQLITE_FLOAT { return sqlite3_value_double(value) == cell.real }
            return stored == SQLITE_INTEGER && SQLCell.areEqual(cell.real, sqlite3_value_int64(value))
        case .text:
            guard stored == SQLITE_TEXT, let text = sqlite3_value_text(value) else { return false }
            return cell.bytes.elementsEqualFast(
                UnsafeRawBufferPointer(start: text, count: Int(sqlite3_value_bytes(value))))
        case .blob:
            guard stored == SQLITE_BLOB else { return false }
            let bytes = sqlite3_value_blob(value)
            return cell.bytes.elementsEqualFast(
                UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value))))
        }
    }
}
