/// A condition on objects, as text or as a tree.
///
///     let adults: Filter = "age > \(17) AND \(key: "first name") BEGINSWITH[c] \("ur")"
///     try adults.matches(person)
///
/// What is interpolated becomes a constant and never a piece of the text; `\(key:)` becomes a key path. A literal
/// cannot throw: one that is malformed is remembered in ``error``, and thrown by ``validate()`` and by all that use
/// the filter. `Filter(format:)` throws at once.
public struct Filter: Sendable, Hashable {
    /// What a filter is made of.
    public indirect enum Form: Sendable, Hashable {
        /// `TRUEPREDICATE`
        case always
        /// `FALSEPREDICATE`
        case never
        /// A comparison.
        case comparison(FilterComparison)
        /// Two or more filters that must all be true.
        case and([Filter])
        /// Two or more filters of which one must be true.
        case or([Filter])
        /// A filter that must be false.
        case not(Filter)
        /// A literal that could not be read.
        case malformed(FilterError)
    }

    /// The tree.
    public let form: Form

    init(form: Form) { self.form = form }

    /// Every subject.
    public static let always = Filter(form: .always)
    /// No subject.
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

    /// A filter that is true where all of `filters` are; of none, always.
    public static func and(_ filters: [Filter]) -> Filter {
        guard let first = filters.first else { return .always }
        return filters.count == 1 ? first : Filter(form: .and(filters))
    }

    /// A filter that is true where one of `filters` is; of none, never.
    public static func or(_ filters: [Filter]) -> Filter {
        guard let first = filters.first else { return .never }
        return filters.count == 1 ? first : Filter(form: .or(filters))
    }

    /// A filter that is true where `filter` is false.
    public static func not(_ filter: Filter) -> Filter { Filter(form: .not(filter)) }

    /// Both.
    public static func && (left: Filter, right: Filter) -> Filter { .and([left, right]) }
    /// One or both.
    public static func || (left: Filter, right: Filter) -> Filter { .or([left, right]) }
    /// The opposite.
    public static prefix func ! (filter: Filter) -> Filter { .not(filter) }
}
