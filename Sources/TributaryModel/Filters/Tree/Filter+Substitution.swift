extension Filter {
    /// The filter with constants instead of variables.
    ///
    /// Variables without a value are kept and can be replaced later. The variable of a SUBQUERY is kept too.
    ///
    /// - Throws: ``error``, if the filter is malformed.
    public func substituting(_ values: [String: FilterValue]) throws(FilterError) -> Filter {
        switch form {
        case .always, .never: return self
        case .malformed(let error): throw error
        case .comparison(var comparison):
            comparison.left = try comparison.left.substituting(values)
            comparison.right = try comparison.right.substituting(values)
            return Filter(comparison)
        case .and(let filters):
            return .and(try filters.map { filter throws(FilterError) in try filter.substituting(values) })
        case .or(let filters):
            return .or(try filters.map { filter throws(FilterError) in try filter.substituting(values) })
        case .not(let filter): return .not(try filter.substituting(values))
        }
    }
}

extension FilterExpression {
    /// The expression with constants instead of variables; variables without a value are kept.
    ///
    /// - Throws: the error of a malformed filter in the expression.
    public func substituting(_ values: [String: FilterValue]) throws(FilterError) -> FilterExpression {
        switch self {
        case .constant, .subject, .keyPath: return self
        case .variable(let name): return values[name].map(FilterExpression.constant) ?? self
        case .path(let base, let keys): return .path(try base.substituting(values), keys)
        case .aggregate(let elements): return .aggregate(try Self.substitute(elements, values))
        case .negation(let inner): return .negation(try inner.substituting(values))
        case .operation(let operation, let left, let right):
            return .operation(operation, try left.substituting(values), try right.substituting(values))
        case .function(let function, let arguments):
            return .function(function, try Self.substitute(arguments, values))
        case .subquery(let collection, let variable, let filter):
            var inner = values
            inner[variable] = nil
            return .subquery(
                try collection.substituting(values), variable: variable, try filter.substituting(inner))
        case .ternary(let filter, let yes, let no):
            return .ternary(
                try filter.substituting(values), try yes.substituting(values), try no.substituting(values))
        case .cast(let inner, let type): return .cast(try inner.substituting(values), type)
        case .element(let collection, .at(let index)):
            return .element(try collection.substituting(values), .at(try index.substituting(values)))
        case .element(let collection, let index): return .element(try collection.substituting(values), index)
        }
    }

    private static func substitute(
        _ expressions: [FilterExpression], _ values: [String: FilterValue]
    ) throws(FilterError) -> [FilterExpression] {
        try expressions.map { expression throws(FilterError) in try expression.substituting(values) }
    }
}
