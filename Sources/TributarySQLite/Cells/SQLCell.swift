import CTributarySQLite
import TributaryPlatform

/// A value whose text or bytes are in the caller's memory; it is small, because millions are bound and compared.
///
/// The cell does not own text and bytes: the caller must keep the memory valid while the cell is in use.
public struct SQLCell {
    /// The type of a cell.
    public enum Kind: UInt8, Sendable {
        /// No value was given for the column.
        case absent
        /// Null.
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

    /// The type of the cell.
    public var kind: Kind
    private var length: UInt32
    private var bits: UInt64

    @inline(__always)
    private init(_ kind: Kind, _ length: UInt32, _ bits: UInt64) {
        self.kind = kind
        self.length = length
        self.bits = bits
    }

    /// The cell of a column for which no value was given.
    public static var absent: SQLCell { SQLCell(.absent, 0, 0) }
    /// Null.
    public static var null: SQLCell { SQLCell(.null, 0, 0) }

    /// A whole number.
    @inline(__always)
    public init(_ value: Int64) { self.init(.integer, 0, UInt64(bitPattern: value)) }

    /// A number with a fraction.
    @inline(__always)
    public init(_ value: Double) { self.init(.real, 0, value.bitPattern) }

    /// Text, which is not copied.
    @inline(__always)
    public init(text: UnsafeRawBufferPointer) { self.init(.text, text) }

    /// Bytes, which are not copied.
    @inline(__always)
    public init(blob: UnsafeRawBufferPointer) { self.init(.blob, blob) }

    @inline(__always)
    private init(_ kind: Kind, _ bytes: UnsafeRawBufferPointer) {
        self.init(
            kind, UInt32(truncatingIfNeeded: bytes.count), UInt64(UInt(bitPattern: bytes.baseAddress)))
    }

    /// A value of a row or an argument of a function; text and bytes are valid as long as SQLite keeps them.
    @inline(__always)
    init(_ value: OpaquePointer?) {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: self.init(sqlite3_value_int64(value))
        case SQLITE_FLOAT: self.init(sqlite3_value_double(value))
        case SQLITE_TEXT:
            // The text must be requested before its length, which depends on the conversion to text.
            let start = sqlite3_value_text(value)
            self.init(text: UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
        case SQLITE_BLOB:
            let start = sqlite3_value_blob(value)
            self.init(blob: UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
        default: self = .null
        }
    }

    /// The number of a cell of the kind `integer`.
    @inline(__always)
    public var integer: Int64 { Int64(bitPattern: bits) }

    /// The number of a cell of the kind `real`.
    @inline(__always)
    public var real: Double { Double(bitPattern: bits) }

    /// The bytes of text or of a blob.
    @inline(__always)
    public var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: UnsafeRawPointer(bitPattern: UInt(truncatingIfNeeded: bits)), count: Int(length))
    }

    /// A copy of the value.
    public var value: SQLValue {
        switch kind {
        case .absent, .null: .null
        case .integer: .integer(integer)
        case .real: .real(real)
        case .text: .text(String(decoding: bytes, as: UTF8.self))
        case .blob: .blob(Array(bytes))
        }
    }

    /// Whether both cells have the same value; 1 and 1.0 are equal.
    public func isSame(as other: SQLCell) -> Bool {
        switch (kind, other.kind) {
        case (.integer, .integer): integer == other.integer
        case (.real, .real): real == other.real
        case (.integer, .real): SQLCell.areEqual(other.real, integer)
        case (.real, .integer): SQLCell.areEqual(real, other.integer)
        case (.text, .text), (.blob, .blob): bytes.elementsEqualFast(other.bytes)
        default: kind == other.kind
        }
    }

    /// Whether a double is exactly a whole number.
    static func areEqual(_ real: Double, _ integer: Int64) -> Bool { Int64(exactly: real) == integer }
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
