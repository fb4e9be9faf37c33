/// A type whose values can be used in SQL; they are bound, never part of the text.
public protocol SQLBindable {
    /// The value for SQLite.
    var sqlValue: SQLValue { get }
}

extension SQLValue: SQLBindable {
    /// Itself.
    public var sqlValue: SQLValue { self }
}

extension Int: SQLBindable {
    /// A whole number.
    public var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Int64: SQLBindable {
    /// A whole number.
    public var sqlValue: SQLValue { .integer(self) }
}

extension Double: SQLBindable {
    /// A number with a fraction; null for NaN.
    public var sqlValue: SQLValue { isNaN ? .null : .real(self) }
}

extension Bool: SQLBindable {
    /// 1 or 0.
    public var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension String: SQLBindable {
    /// Text.
    public var sqlValue: SQLValue { .text(self) }
}

extension [UInt8]: SQLBindable {
    /// Bytes.
    public var sqlValue: SQLValue { .blob(self) }
}

extension Optional: SQLBindable where Wrapped: SQLBindable {
    /// Null, or the value.
    public var sqlValue: SQLValue { self?.sqlValue ?? .null }
}
