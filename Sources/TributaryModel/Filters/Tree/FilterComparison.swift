/// A comparison of two expressions.
public struct FilterComparison: Sendable, Hashable {
    /// The left side.
    public var left: FilterExpression
    /// How they are compared.
    public var `operator`: FilterOperator
    /// The right side.
    public var right: FilterExpression
    /// How text is compared.
    public var options: FilterOptions
    /// The elements of the left side that are compared.
    public var modifier: FilterModifier

    /// A comparison with two sides and an operator.
    public init(
        _ left: FilterExpression, _ operator: FilterOperator, _ right: FilterExpression,
        options: FilterOptions = [], modifier: FilterModifier = .direct
    ) {
        self.left = left
        self.operator = `operator`
        self.right = right
        self.options = options
        self.modifier = modifier
    }
}
