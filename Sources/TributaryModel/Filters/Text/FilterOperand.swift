/// What can stand in a filter in place of a piece of its text.
public enum FilterOperand: Sendable, Hashable {
    /// A constant.
    case value(FilterValue)
    /// An expression.
    case expression(FilterExpression)
    /// A whole filter.
    case filter(Filter)
}
