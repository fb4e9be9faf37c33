/// One side of a comparison: something that has a value for a subject.
///
/// The trees are values: equal if they are built the same. `description` writes one as text that reads back as an
/// equal tree; only a reference to an object has no text.
public indirect enum FilterExpression: Sendable, Hashable {
    /// A value; `{1, 2}` of constants only is a list.
    case constant(FilterValue)
    /// `SELF`: the subject.
    case subject
    /// A path from the subject: `address.city`, `items.@sum.price`; never empty.
    case keyPath([String])
    /// `$name`: filled when the filter is used.
    case variable(String)
    /// A path from something else: `$x.name`, `SUBQUERY(…).@count`.
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
