/// A value, an expression or a filter that is inserted into the text of a filter.
public enum FilterOperand: Sendable, Hashable {
    /// A constant.
    case value(FilterValue)
    /// An expression.
    case expression(FilterExpression)
    /// A whole filter.
    case filter(Filter)
}
