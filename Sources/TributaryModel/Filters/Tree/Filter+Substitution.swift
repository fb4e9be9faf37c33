extension Filter {
    /// The filter with constants instead of variables.
    ///
    /// Variables without a value are kept and can be replaced later. The variable of a SUBQUERY is kept too.
    ///
    /// - Throws: ``error``, if the filter is malformed.
    public func substituting(_ values: [String: FilterValue]) throws(FilterError) -> Filter {
        try validate()
        return mapping { $0.replacement(values) }
    }
}

extension FilterExpression {
    /// The expression with constants instead of variables; variables without a value are kept.
    ///
    /// - Throws: the error of a malformed filter in the expression.
    public func substituting(_ values: [String: FilterValue]) throws(FilterError) -> FilterExpression {
        if let error { throw error }
        return mapping { $0.replacement(values) }
    }

    /// What takes the place of a variable with a value, or of a SUBQUERY; nil for any other expression.
    fileprivate func replacement(_ values: [String: FilterValue]) -> FilterExpression? {
        switch self {
        case .variable(let name): return values[name].map(FilterExpression.constant)
        case .subquery(let collection, let variable, let filter):
            var inner = values
            inner[variable] = nil
            return .subquery(
                collection.mapping { $0.replacement(values) }, variable: variable,
                filter.mapping { $0.replacement(inner) })
        default: return nil
        }
    }
}
