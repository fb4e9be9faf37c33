extension Filter: CustomStringConvertible {
    /// The canonical text of the filter; reading it returns an equal filter.
    ///
    /// There are two exceptions: an object is written as `OBJECT(…)`, which cannot be read, and a filter that was built
    /// in code may be nested deeper than the 32 levels that can be read.
    public var description: String {
        switch form {
        case .always: "TRUEPREDICATE"
        case .never: "FALSEPREDICATE"
        case .comparison(let comparison): comparison.description
        case .and(let filters): filters.map(\.nested).joined(separator: " AND ")
        case .or(let filters): filters.map(\.nested).joined(separator: " OR ")
        case .not(let filter): "NOT " + filter.nested
        case .malformed(let error): "MALFORMED(\(error))"
        }
    }

    /// The text of the filter inside another one; in parentheses if it has several parts.
    private var nested: String {
        switch form {
        case .and, .or: "(\(description))"
        default: description
        }
    }
}

extension FilterComparison: CustomStringConvertible {
    /// The canonical text of the comparison.
    public var description: String {
        let quantifier =
            switch modifier {
            case .direct: ""
            case .any: "ANY "
            case .all: "ALL "
            }
        return "\(quantifier)\(left) \(self.operator.rawValue)\(options.text) \(right)"
    }
}
