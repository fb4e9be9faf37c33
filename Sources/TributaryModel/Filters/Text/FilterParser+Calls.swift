extension FilterParser {
    /// Reads a function with its arguments: `name(a, b)`.
    package mutating func call(_ name: String) throws(FilterError) -> FilterExpression {
        let offset = token.start
        advance()
        advance()
        return try function(name, try list(until: ")"), at: offset)
    }

    /// Reads `FUNCTION(a, 'name', b)`, with the first argument before the name.
    mutating func selector() throws(FilterError) -> FilterExpression {
        let offset = token.start
        try beginCall()
        let first = try expression()
        try expect(",")
        guard case .string(let name) = token.kind else { throw failure(expected: "the name of a function") }
        advance()
        if accept(",") { return try function(name, [first] + (try list(until: ")")), at: offset) }
        try expect(")")
        return try function(name, [first], at: offset)
    }

    /// Skips the name of a call and its parenthesis, which begin a level of the tree.
    private mutating func beginCall() throws(FilterError) {
        advance()
        advance()
        try deepen()
    }

    private func function(
        _ name: String, _ arguments: [FilterExpression], at offset: Int
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
                found: name, expected: "a function of the filter language", position: source.position(of: offset))
        }
        guard function.arguments.contains(arguments.count) else {
            let least = function.arguments.lowerBound
            let wanted = function.arguments.upperBound == least ? "\(least)" : "at least \(least)"
            throw FilterError(
                found: "\(arguments.count) arguments", expected: "\(wanted) for \(function.rawValue)",
                position: source.position(of: offset))
        }
        return .function(function, arguments)
    }

    /// Reads a subquery: `SUBQUERY(items, $x, $x.price > 3)`.
    mutating func subquery() throws(FilterError) -> FilterExpression {
        try beginCall()
        let collection = try expression()
        try expect(",")
        guard case .variable(let variable) = token.kind else { throw failure(expected: "a variable") }
        advance()
        try expect(",")
        let filter = try filter()
        try expect(")")
        return .subquery(collection, variable: variable, filter)
    }

    /// Reads a choice of two expressions: `TERNARY(age > 17, "adult", "minor")`.
    mutating func ternary() throws(FilterError) -> FilterExpression {
        try beginCall()
        let filter = try filter()
        try expect(",")
        let yes = try expression()
        try expect(",")
        let no = try expression()
        try expect(")")
        return .ternary(filter, yes, no)
    }

    /// Reads a type conversion: `CAST(text, "NSDate")`.
    ///
    /// A constant that is not in parentheses is converted while reading.
    package mutating func cast() throws(FilterError) -> FilterExpression {
        try beginCall()
        let isGrouped = isAt("(")
        let inner = try expression()
        try expect(",")
        guard case .string(let name) = token.kind, let type = FilterCast(name: name) else {
            throw failure(expected: "a type such as \"NSDate\"")
        }
        if case .constant(let constant) = inner, !isGrouped, !constant.isNull {
            let value = type.cast(constant)
            guard !value.isNull else { throw failure(expected: "a type that fits the constant") }
            advance()
            try expect(")")
            return .constant(value)
        }
        advance()
        try expect(")")
        return .cast(inner, type)
    }
}
