/// The number of objects of a to-many relationship, for use in a comparison.
public struct CountExpression: TypedExpression, Sendable, Hashable {
    /// The type of the count.
    public typealias Value = Int
    /// The expression of the filter.
    public let filterExpression: FilterExpression

    init(_ expression: FilterExpression) { filterExpression = expression }
}
