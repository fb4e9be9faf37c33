extension FilterExpression {
    /// The expression with replaced parts; `replace` is called from the outside in, and nil keeps a part.
    func replacing(_ replace: (FilterExpression) throws -> FilterExpression?) throws -> FilterExpression {
        if let replaced = try replace(self) { return replaced }
        switch self {
        case .constant, .subject, .keyPath, .variable: return self
        case .path(let base, let keys): return .path(try base.replacing(replace), keys)
        case .aggregate(let elements): return .aggregate(try elements.map { try $0.replacing(replace) })
        case .negation(let inner): return .negation(try inner.replacing(replace))
        case .operation(let operation, let left, let right):
            return .operation(operation, try left.replacing(replace), try right.replacing(replace))
        case .function(let function, let arguments):
            return .function(function, try arguments.map { try $0.replacing(replace) })
        case .subquery(let collection, let variable, let filter):
            return .subquery(
                try collection.replacing(replace), variable: variable, try filter.replacing(replace))
        case .ternary(let filter, let yes, let no):
            return .ternary(try filter.replacing(replace), try yes.replacing(replace), try no.replacing(replace))
        case .cast(let inner, let type): return .cast(try inner.replacing(replace), type)
        case .element(let base, .at(let index)):
            return .element(try base.replacing(replace), .at(try index.replacing(replace)))
        case .element(let base, let index): return .element(try base.replacing(replace), index)
        }
    }
}

extension Filter {
    /// The filter with replaced expressions.
    func replacing(_ replace: (FilterExpression) throws -> FilterExpression?) throws -> Filter {
        switch form {
        case .always, .never: return self
        case .malformed(let error): throw error
        case .comparison(var comparison):
            comparison.left = try comparison.left.replacing(replace)
            comparison.right = try comparison.right.replacing(replace)
            return Filter(comparison)
        case .not(let filter): return .not(try filter.replacing(replace))
        case .and(let filters): return .and(try filters.map { try $0.replacing(replace) })
        case .or(let filters): return .or(try filters.map { try $0.replacing(replace) })
        }
    }
}
