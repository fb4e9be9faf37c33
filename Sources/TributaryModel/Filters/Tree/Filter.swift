/// A condition on objects, as text or as a tree.
///
///     let adults: Filter = "age > \(17) AND \(key: "first name") BEGINSWITH[c] \("ur")"
///     try adults.matches(person)
///
/// An interpolated value becomes a constant and never a part of the text; `\(key:)` becomes a key path. A literal
/// cannot throw: the error of a malformed one is in ``error``, and is thrown by ``validate()`` and by every use of the
/// filter. `Filter(format:)` throws at once.
public struct Filter: Sendable, Hashable {
    /// The structure of a filter.
    public indirect enum Form: Sendable, Hashable {
        /// `TRUEPREDICATE`
        case always
        /// `FALSEPREDICATE`
        case never
        /// A comparison.
        case comparison(FilterComparison)
        /// Two or more filters, all of which must be true.
        case and([Filter])
        /// Two or more filters, one of which must be true.
        case or([Filter])
        /// A filter that must be false.
        case not(Filter)
        /// A malformed literal.
        case malformed(FilterError)
    }

    /// The structure of the filter.
    public let form: Form

    init(form: Form) { self.form = form }

    /// A filter that is true for every subject.
    public static let always = Filter(form: .always)
    /// A filter that is true for no subject.
    public static let never = Filter(form: .never)

    /// A filter of one comparison.
    public init(_ comparison: FilterComparison) { form = .comparison(comparison) }

    /// A filter of one comparison.
    public init(
        _ left: FilterExpression, _ operator: FilterOperator, _ right: FilterExpression,
        options: FilterOptions = [], modifier: FilterModifier = .direct
    ) {
        self.init(FilterComparison(left, `operator`, right, options: options, modifier: modifier))
    }

    /// A filter that is true if all of `filters` are, or if there are none.
    public static func and(_ filters: [Filter]) -> Filter {
        guard let first = filters.first else { return .always }
        return filters.count == 1 ? first : Filter(form: .and(filters))
    }

    /// A filter that is true if at least one of `filters` is.
    public static func or(_ filters: [Filter]) -> Filter {
        guard let first = filters.first else { return .never }
        return filters.count == 1 ? first : Filter(form: .or(filters))
    }

    /// A filter that is true if `filter` is false.
    public static func not(_ filter: Filter) -> Filter { Filter(form: .not(filter)) }

    /// A filter that is true if both are.
    public static func && (left: Filter, right: Filter) -> Filter { .and([left, right]) }
    /// A filter that is true if at least one is.
    public static func || (left: Filter, right: Filter) -> Filter { .or([left, right]) }
    /// A filter that is true if `filter` is false.
    public static prefix func ! (filter: Filter) -> Filter { .not(filter) }
}
