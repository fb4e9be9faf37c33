/// The operator of a comparison.
public enum FilterOperator: String, Sendable, Hashable, CaseIterable {
    /// The left is less.
    case less = "<"
    /// The left is not greater.
    case lessOrEqual = "<="
    /// The left is greater.
    case greater = ">"
    /// The left is not less.
    case greaterOrEqual = ">="
    /// Both are equal.
    case equal = "=="
    /// They are not equal.
    case notEqual = "!="
    /// The whole text matches a regular expression.
    case matches = "MATCHES"
    /// The whole text matches a pattern with `*` and `?`.
    case like = "LIKE"
    /// The left text begins with the right one.
    case beginsWith = "BEGINSWITH"
    /// The left text ends with the right one.
    case endsWith = "ENDSWITH"
    /// The left is an element of the collection on the right, or a part of the text.
    case `in` = "IN"
    /// The right is an element of the collection on the left, or a part of the text.
    case contains = "CONTAINS"
    /// The left is within two bounds, inclusive.
    case between = "BETWEEN"

    init?(spelling: String) {
        switch spelling {
        case "=": self = .equal
        case "<>": self = .notEqual
        case "=<": self = .lessOrEqual
        case "=>": self = .greaterOrEqual
        default: self.init(rawValue: spelling.inKeywordCase)
        }
    }
}
