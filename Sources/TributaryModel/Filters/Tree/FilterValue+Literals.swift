extension FilterValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral
{
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A floating point number.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// Text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// True or false.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// The null value.
    public init(nilLiteral: ()) { self = .null }
    /// A list of values.
    public init(arrayLiteral elements: FilterValue...) { self = .list(elements) }
}
