/// One side of a comparison: an expression with a value for each subject.
///
/// Expressions are equal if their trees are. Reading the text of `description` returns an equal expression, except for
/// references to objects, whose text cannot be read.
public indirect enum FilterExpression: Sendable, Hashable {
    /// A constant; `{1, 2}` with only constants is a list.
    case constant(FilterValue)
    /// `SELF`: the subject.
    case subject
    /// A path from the subject: `address.city`, `items.@sum.price`; never empty.
    case keyPath([String])
    /// `$name`: a variable with a value that is set when the filter is used.
    case variable(String)
    /// A path from another expression: `$x.name`, `SUBQUERY(…).@count`.
    case path(FilterExpression, [String])
    /// `{a, b + 1}`: several values, not all of them constants.
    case aggregate([FilterExpression])
    /// `-a`.
    case negation(FilterExpression)
    /// `a + b`, `a & b`, `a UNION b`.
    case operation(FilterOperation, FilterExpression, FilterExpression)
    /// `length(name)`.
    case function(FilterFunction, [FilterExpression])
    /// `SUBQUERY(items, $x, $x.price > 3)`: the elements for which the filter is true.
    case subquery(FilterExpression, variable: String, Filter)
    /// `TERNARY(age > 17, "adult", "minor")`.
    case ternary(Filter, FilterExpression, FilterExpression)
    /// `CAST(text, "NSDecimalNumber")`.
    case cast(FilterExpression, FilterCast)
    /// `names[0]`, `names[LAST]`, `names[SIZE]`.
    case element(FilterExpression, FilterIndex)
}
