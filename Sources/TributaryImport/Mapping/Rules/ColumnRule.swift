/// What an import does with the values of a column of a table without a model.
///
///     var rule = ColumnRule()
///     rule.conversions = [.trim, .number]
///     rule.defaultValue = ColumnValue(.number, "0")
public struct ColumnRule: Sendable, Hashable, Codable {
    /// The conversions of a value, in their order; a value that cannot be converted makes its record a reject.
    public var conversions: [ColumnConversion] = []
    /// The value in a new row whose record lacks the member.
    public var defaultValue: ColumnValue?
    /// Whether a record that has no value, or null, is a reject.
    public var needsValue = false

    /// A column whose values stay as they are.
    public init() {}
}
