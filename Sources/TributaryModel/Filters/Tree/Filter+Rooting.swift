extension Filter {
    /// A name that no variable of the filter has: `x`, `y`, `z`, or `x1` and so on.
    package var freeVariable: String {
        var taken: Set<String> = []
        _ = mapping { expression in
            switch expression {
            case .variable(let name), .subquery(_, let name, _): taken.insert(name)
            default: break
            }
            return nil
        }
        let names = ["x", "y", "z"] + (1...(taken.count + 1)).map { "x\($0)" }
        return names.first { !taken.contains($0) } ?? "x"
    }

    /// The filter with paths from `base` instead of the subject.
    package func rooted(at base: FilterExpression) -> Filter {
        mapping { expression in
            switch expression {
            case .subject: base
            case .keyPath(let keys): .path(base, keys)
            default: nil
            }
        }
    }

    /// The filter with replaced expressions; where `replace` returns nil, the expression keeps its form.
    package func mapping(_ replace: (FilterExpression) throws -> FilterExpression?) rethrows -> Filter {
        switch form {
        case .always, .never, .malformed: return self
        case .comparison(var comparison):
            comparison.left = try comparison.left.mapping(replace)
            comparison.right = try comparison.right.mapping(replace)
            return Filter(comparison)
        case .and(let filters): return .and(try filters.map { try $0.mapping(replace) })
        case .or(let filters): return .or(try filters.map { try $0.mapping(replace) })
        case .not(let filter): return .not(try filter.mapping(replace))
        }
    }
}

extension FilterExpression {
    /// The expression with replaced parts; `replace` is called from the outside in, and nil keeps a part.
    package func mapping(_ replace: (FilterExpression) throws -> FilterExpression?) rethrows -> FilterExpression {
        if let other = try replace(self) { return other }
        switch self {
        case .constant, .subject, .keyPath, .variable: return self
        case .path(let base, let keys): return .path(try base.mapping(replace), keys)
        case .aggregate(let elements): return .aggregate(try elements.map { try $0.mapping(replace) })
        case .negation(let inner): return .negation(try inner.mapping(replace))
        case .operation(let operation, let left, let right):
            return .operation(operation, try left.mapping(replace), try right.mapping(replace))
        case .function(let function, let arguments):
            return .function(function, try arguments.map { try $0.mapping(replace) })
        case .subquery(let collection, let variable, let filter):
            return .subquery(try collection.mapping(replace), variable: variable, try filter.mapping(replace))
        case .ternary(let filter, let yes, let no):
            return .ternary(try filter.mapping(replace), try yes.mapping(replace), try no.mapping(replace))
        case .cast(let inner, let type): return .cast(try inner.mapping(replace), type)
        case .element(let base, .at(let index)):
            return .element(try base.mapping(replace), .at(try index.mapping(replace)))
        case .element(let base, let index): return .element(try base.mapping(replace), index)
        }
    }
}
