import CTributarySQLite

/// The columns of the row at hand, counted from 0. Text and bytes are good until the next step.
extension Statement {
    /// How many columns a row has.
    public var columnCount: Int { Int(sqlite3_column_count(handle)) }

    /// The name of a column.
    public func columnName(at index: Int) -> String {
        sqlite3_column_name(handle, Int32(index)).map { String(cString: $0) } ?? ""
    }

    /// Whether the value is null.
    @inline(__always)
    public func isNull(at index: Int) -> Bool { sqlite3_column_type(handle, Int32(index)) == SQLITE_NULL }

    /// How the value is kept.
    @inline(__always)
    public func storage(at index: Int) -> SQLStorage {
        switch sqlite3_column_type(handle, Int32(index)) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    /// The value, whatever it is.
    public func value(at index: Int) -> SQLValue {
        switch sqlite3_column_type(handle, Int32(index)) {
        case SQLITE_INTEGER: .integer(integer(at: index))
        case SQLITE_FLOAT: .real(real(at: index))
        case SQLITE_TEXT: .text(text(at: index))
        case SQLITE_BLOB: .blob(withBlob(at: index) { Array($0) })
        default: .null
        }
    }

    /// The value as a whole number.
    @inline(__always)
    public func integer(at index: Int) -> Int64 { sqlite3_column_int64(handle, Int32(index)) }

    /// The value as a number with a fraction.
    @inline(__always)
    public func real(at index: Int) -> Double { sqlite3_column_double(handle, Int32(index)) }

    /// The value as text, with what follows a U+0000.
    @inline(__always)
    public func text(at index: Int) -> String {
        withText(at: index) { String(decoding: $0, as: UTF8.self) }
    }

    /// Calls `body` with the bytes of the value as text.
    @inline(__always)
    public func withText<Result>(at index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        // The text comes first: asking for its length may convert it.
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
