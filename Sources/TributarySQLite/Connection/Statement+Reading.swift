import CTributarySQLite

/// Reads the columns of the current row, counted from 0; text and bytes are valid until the next step.
extension Statement {
    /// The number of columns of a row.
    public var columnCount: Int { Int(sqlite3_column_count(handle)) }

    /// The name of a column.
    public func columnName(at index: Int) -> String {
        sqlite3_column_name(handle, Int32(index)).map { String(cString: $0) } ?? ""
    }

    /// Whether the value is null.
    @inline(__always)
    public func isNull(at index: Int) -> Bool { sqlite3_column_type(handle, Int32(index)) == SQLITE_NULL }

    /// The storage class of the value.
    @inline(__always)
    public func storage(at index: Int) -> SQLCell.Kind {
        switch sqlite3_column_type(handle, Int32(index)) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    /// The value, of any type.
    public func value(at index: Int) -> SQLValue { cell(at: index).value }

    /// The value as a whole number.
    @inline(__always)
    public func integer(at index: Int) -> Int64 { sqlite3_column_int64(handle, Int32(index)) }

    /// The value as a number with a fraction.
    @inline(__always)
    public func real(at index: Int) -> Double { sqlite3_column_double(handle, Int32(index)) }

    /// The value as text, including any U+0000.
    @inline(__always)
    public func text(at index: Int) -> String {
        withText(at: index) { String(decoding: $0, as: UTF8.self) }
    }

    /// Calls `body` with the bytes of the value as text.
    @inline(__always)
    public func withText<Result>(at index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        // The text must be requested before its length, which depends on the conversion to text.
        let start = sqlite3_column_text(handle, Int32(index))
        return try body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, Int32(index)))))
    }

    /// Calls `body` with the bytes of the value.
    @inline(__always)
    public func withBlob<Result>(at index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        let start = sqlite3_column_blob(handle, Int32(index))
        return try body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, Int32(index)))))
    }
}
