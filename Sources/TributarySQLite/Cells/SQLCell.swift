import CTributarySQLite

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A value that lies in somebody else's memory: small and plain, since millions of them are bound and compared.
///
/// Text and bytes are not owned: they must stay where they are as long as the cell is in use.
public struct SQLCell {
    /// What a cell is.
    public enum Kind: UInt8, Sendable {
        /// Nothing is said about the column.
        case absent
        /// No value.
        case null
        /// A whole number.
        case integer
        /// A number with a fraction.
        case real
        /// Text in UTF-8.
        case text
        /// Bytes.
        case blob
    }

    /// What it is.
    public var kind: Kind
    private var length: UInt32
    private var bits: UInt64

    @inline(__always)
    private init(_ kind: Kind, _ length: UInt32, _ bits: UInt64) {
        self.kind = kind
        self.length = length
        self.bits = bits
    }

    /// Nothing is said about the column.
    public static var absent: SQLCell { SQLCell(.absent, 0, 0) }
    /// No value.
    public static var null: SQLCell { SQLCell(.null, 0, 0) }

    /// A whole number.
    @inline(__always)
    public init(_ value: Int64) { self.init(.integer, 0, UInt64(bitPattern: value)) }

    /// A number with a fraction.
    @inline(__always)
    public init(_ value: Double) { self.init(.real, 0, value.bitPattern) }

    /// Text that stays where it is.
    @inline(__always)
    public init(text: UnsafeRawBufferPointer) { self.init(.text, text) }

    /// Bytes that stay where they are.
    @inline(__always)
    public init(blob: UnsafeRawBufferPointer) { self.init(.blob, blob) }

    @inline(__always)
    private init(_ kind: Kind, _ bytes: UnsafeRawBufferPointer) {
        self.init(
            kind, UInt32(truncatingIfNeeded: bytes.count), UInt64(UInt(bitPattern: bytes.baseAddress)))
    }

    /// The number of a cell of that kind.
    @inline(__always)
    public var integer: Int64 { Int64(bitPattern: bits) }

    /// The number of a cell of that kind.
    @inline(__always)
    public var real: Double { Double(bitPattern: bits) }

    /// The bytes of text or of a blob.
    @inline(__always)
    public var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: UnsafeRawPointer(bitPattern: UInt(truncatingIfNeeded: bits)), count: Int(length))
    }

    /// The value, copied.
    public var value: SQLValue {
        switch kind {
        case .absent, .null: .null
        case .integer: .integer(integer)
        case .real: .real(real)
        case .text: .text(String(decoding: bytes, as: UTF8.self))
        case .blob: .blob(Array(bytes))
        }
    }

    /// Whether both are the same value, and a number of the same kind: 1 and 1.0 are not, so that what a dump says is
    /// what is kept, whatever was there before.
    public func isSame(as other: SQLCell) -> Bool {
        switch (kind, other.kind) {
        case (.integer, .integer): integer == other.integer
        case (.real, .real): real == other.real
        case (.text, .text), (.blob, .blob): bytes.elementsEqualFast(other.bytes)
        default: kind == other.kind
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether both hold the same bytes.
    @inline(__always)
    package func elementsEqualFast(_ other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard let baseAddress, let start = other.baseAddress, count > 0 else { return true }
        return memcmp(baseAddress, start, count) == 0
    }
}

extension Statement {
    /// Binds a cell, whose bytes stay where they are until the statement is reset or bound anew; what is absent as null.
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

    /// Binds the value that stands in a column of the row at hand of another statement.
    @inline(__always)
    public func bind(columnOf other: borrowing Statement, _ column: Int, at index: Int) throws {
        let result = sqlite3_bind_value(handle, Int32(index + 1), sqlite3_column_value(other.handle, Int32(column)))
        if result != SQLITE_OK { throw failure(result) }
    }

    /// What stands in a column of the row at hand; text and bytes stay until the next row.
    ///
    /// The column is asked for once, and not for its type, its bytes, and their number.
    @inline(__always)
    public func cell(at column: Int) -> SQLCell {
        let value = sqlite3_column_value(handle, Int32(column))
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: return SQLCell(sqlite3_value_int64(value))
        case SQLITE_FLOAT: return SQLCell(sqlite3_value_double(value))
        case SQLITE_TEXT:
            // The text comes first: asking for its length may convert it.
            let start = sqlite3_value_text(value)
            return SQLCell(text: UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
        case SQLITE_BLOB:
            let start = sqlite3_value_blob(value)
            return SQLCell(blob: UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
        default: return .null
        }
    }

    /// Whether the column of the row at hand holds what the cell says, a number of the same kind.
    ///
    /// The column is asked for once, and not for its type, its bytes, and their number.
    @inline(__always)
    public func holds(_ cell: SQLCell, at column: Int) -> Bool {
        if cell.kind == .absent { return true }
        let value = sqlite3_column_value(handle, Int32(column))
        let stored = sqlite3_value_type(value)
        switch cell.kind {
        case .absent, .null: return stored == SQLITE_NULL
        case .integer: return stored == SQLITE_INTEGER && sqlite3_value_int64(value) == cell.integer
        case .real: return stored == SQLITE_FLOAT && sqlite3_value_double(value) == cell.real
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
