extension FilterParser {
    /// A function with its arguments: `name(a, b)`.
    package mutating func call(_ name: String) throws(FilterError) -> FilterExpression {
        let place = token.start
        advance()
        advance()
        return try function(name, try list(until: ")"), at: place)
    }

    /// `FUNCTION(a, 'name', b)`: the first argument goes before the name.
    mutating func selector() throws(FilterError) -> FilterExpression {
        let place = token.start
        advance()
        advance()
        try deepen()
        let first = try expression()
        try need(",")
        guard case .string(let name) = token.kind else { throw failure(expected: "the name of a function") }
        advance()
        if take(",") { return try function(name, [first] + (try list(until: ")")), at: place) }
        try need(")")
        return try function(name, [first], at: place)
    }

    private func function(
        _ name: String, _ arguments: [FilterExpression], at place: Int
    ) throws(FilterError) -> FilterExpression {
        var lower = name.lowercased()
        if let operation = FilterOperation.functions[lower], arguments.count == 2 {
            return .operation(operation, arguments[0], arguments[1])
        }
        if lower == "objectfrom:withindex:", arguments.count == 2 {
            return .element(arguments[0], .at(arguments[1]))
        }
        if lower == "castobject:totype:", arguments.count == 2, case .constant(.string(let type)) = arguments[1],
            let cast = FilterCast(name: type)
        {
            return .cast(arguments[0], cast)
        }
        if lower.hasSuffix(":") { lower.removeLast() }
        guard let function = FilterFunction.named[lower] else {
            throw FilterError(
                found: name, expected: "a function of the filter language", position: source.position(of: place))
        }
        guard function.arguments.contains(arguments.count) else {
            let least = function.arguments.lowerBound
            let wanted = function.arguments.upperBound == least ? "\(least)" : "at least \(least)"
            throw FilterError(
                found: "\(arguments.count) arguments", expected: "\(wanted) for \(function.rawValue)",
                position: source.position(of: place))
        }
        return .function(function, arguments)
    }

    /// The elements for which a filter is true: `SUBQUERY(items, $x, $x.price > 3)`.
    mutating func subquery() throws(FilterError) -> FilterExpression {
        advance()
        advance()
        try deepen()
        let collection = try expression()
        try need(",")
        guard case .variable(let variable) = token.kind else { throw failure(expected: "a variable") }
        advance()
        try need(",")
        let filter = try filter()
        try need(")")
        return .subquery(collection, variable: variable, filter)
    }

    /// One of two expressions: `TERNARY(age > 17, "adult", "minor")`.
    mutating func ternary() throws(FilterError) -> FilterExpression {
        advance()
        advance()
        try deepen()
        let filter = try filter()
        try need(",")
        let yes = try expression()
        try need(",")
        let no = try expression()
        try need(")")
        return .ternary(filter, yes, no)
    }

    /// A change of the type: `CAST(text, "NSDate")`.
    ///
    /// Of a constant that does not stand in parentheses it is a constant.
    package mutating func cast() throws(FilterError) -> FilterExpression {
        advance()
        advance()
        try deepen()
        let isGrouped = isAt("(")
        let inner = try expression()
        try need(",")
        guard case .string(let name) = token.kind, let type = FilterCast(name: name) else {
            throw failure(expected: "a type, as \"NSDate\"")
        }
        if case .constant(let constant) = inner, !isGrouped, !constant.isNull {
            let value = type.cast(constant)
            guard !value.isNull else { throw failure(expected: "a type that fits the constant") }
            advance()
            try need(")")
            return .constant(value)
        }
        advance()
        try need(")")
        return .cast(inner, type)
    }
}
