/// A type whose values can be used in SQL; they are bound, never part of the text.
public protocol SQLBindable {
    /// The value for SQLite.
    var sqlValue: SQLValue { get }
}

extension SQLValue: SQLBindable {
    /// Itself.
    public var sqlValue: SQLValue { self }
}

/// Bound as an integer.
extension Int: SQLBindable {
    /// A whole number.
    public var sqlValue: SQLValue { .integer(Int64(self)) }
}

/// Bound as an integer.
extension Int64: SQLBindable {
    /// A whole number.
    public var sqlValue: SQLValue { .integer(self) }
}

/// Bound as a real number; NaN as null.
extension Double: SQLBindable {
    /// A number with a fraction; null for NaN.
    public var sqlValue: SQLValue { isNaN ? .null : .real(self) }
}

/// Bound as 1 or 0.
extension Bool: SQLBindable {
    /// 1 or 0.
    public var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

/// Bound as text.
extension String: SQLBindable {
    /// Text.
    public var sqlValue: SQLValue { .text(self) }
}

/// Bound as bytes.
extension [UInt8]: SQLBindable {
    /// Bytes.
    public var sqlValue: SQLValue { .blob(self) }
}

/// Bound as its value, or as null.
extension Optional: SQLBindable where Wrapped: SQLBindable {
    /// Null, or the value.
    public var sqlValue: SQLValue { self?.sqlValue ?? .null }
}
