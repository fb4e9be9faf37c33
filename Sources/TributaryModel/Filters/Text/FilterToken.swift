/// A token of the filter language with its position.
struct FilterToken: Sendable {
    enum Kind: Sendable, Hashable {
        /// A name that may be a keyword.
        case word(String)
        /// A name that is not a keyword: `#size`, `#"odd name"`.
        case name(String)
        /// `@sum`
        case collectionOperator(String)
        case string(String)
        case number(FilterValue)
        case variable(String)
        case symbol(String)
        case operand(FilterOperand)
        /// The argument of `%K`.
        case keyPath([String])
        case end
    }

    let kind: Kind
    let start: Int
    let end: Int
}
