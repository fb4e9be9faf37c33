/// A value of SQLite.
public enum SQLValue: Sendable, Hashable {
    /// Null.
    case null
    /// A whole number of 64 bits.
    case integer(Int64)
    /// A number with a fraction; never a NaN, which SQLite would turn into null.
    case real(Double)
    /// Text, which may contain U+0000.
    case text(String)
    /// Bytes.
    case blob([UInt8])
}

extension SQLValue: ExpressibleByNilLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral, ExpressibleByBooleanLiteral
{
    /// Null.
    public init(nilLiteral: ()) { self = .null }
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A number with a fraction.
    public init(floatLiteral value: Double) { self = .real(value) }
    /// Text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// 1 or 0.
    public init(booleanLiteral value: Bool) { self = .integer(value ? 1 : 0) }
}
