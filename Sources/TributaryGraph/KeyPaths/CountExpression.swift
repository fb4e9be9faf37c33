/// The number of objects at the end of a relationship, to be compared.
public struct CountExpression: TypedExpression, Sendable, Hashable {
    /// A number.
    public typealias Value = Int
    /// The expression of the filter.
    public let filterExpression: FilterExpression

    init(_ expression: FilterExpression) { filterExpression = expression }
}
