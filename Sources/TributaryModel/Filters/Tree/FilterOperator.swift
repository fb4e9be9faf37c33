/// How the sides of a comparison are compared.
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
    /// The text fits a regular expression as a whole.
    case matches = "MATCHES"
    /// The text fits a pattern with `*` and `?`.
    case like = "LIKE"
    /// The text begins with the other.
    case beginsWith = "BEGINSWITH"
    /// The text ends with the other.
    case endsWith = "ENDSWITH"
    /// The left is an element, or a part, of the right.
    case `in` = "IN"
    /// The right is an element, or a part, of the left.
    case contains = "CONTAINS"
    /// The left is within two bounds.
    case between = "BETWEEN"

    /// Reads a symbol or a word, in any of the spellings.
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
