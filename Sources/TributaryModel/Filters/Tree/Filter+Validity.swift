extension Filter {
    /// The error of the filter's literal, or of the literal of a part; nil if all are valid.
    public var error: FilterError? {
        switch form {
        case .always, .never: nil
        case .malformed(let error): error
        case .comparison(let comparison): comparison.left.error ?? comparison.right.error
        case .and(let filters), .or(let filters): filters.lazy.compactMap(\.error).first
        case .not(let filter): filter.error
        }
    }

    /// Checks that the filter is not malformed.
    ///
    /// - Throws: ``error``, if there is one.
    public func validate() throws(FilterError) {
        if let error { throw error }
    }
}

extension FilterExpression {
    var error: FilterError? {
        switch self {
        case .constant, .subject, .keyPath, .variable: nil
        case .path(let inner, _), .negation(let inner), .cast(let inner, _): inner.error
        case .aggregate(let elements), .function(_, let elements): elements.lazy.compactMap(\.error).first
        case .operation(_, let left, let right): left.error ?? right.error
        case .subquery(let collection, _, let filter): collection.error ?? filter.error
        case .ternary(let filter, let yes, let no): filter.error ?? yes.error ?? no.error
        case .element(let collection, .at(let index)): collection.error ?? index.error
        case .element(let collection, _): collection.error
        }
    }
}
