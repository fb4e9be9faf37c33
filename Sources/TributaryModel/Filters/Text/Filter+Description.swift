extension Filter: CustomStringConvertible {
    /// The filter in its canonical text, which reads back as an equal filter.
    ///
    /// An object in it has no text that could be read; it is shown as `OBJECT(…)`. A tree that was built by hand may be
    /// deeper than the 32 levels that are read.
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

    /// The filter inside another one: in parentheses, if it has several parts.
    private var nested: String {
        switch form {
        case .and, .or: "(\(description))"
        default: description
        }
    }
}

extension FilterComparison: CustomStringConvertible {
    /// The comparison in its canonical text.
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
