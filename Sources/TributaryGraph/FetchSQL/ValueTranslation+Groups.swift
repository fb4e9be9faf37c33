import TributarySQLite

/// Aggregates over the rows of a group, and what is one for all of them.
extension ValueTranslation {
    /// Whether an expression asks for one value of several rows.
    mutating func hasAggregate(_ expression: FilterExpression) throws -> Bool {
        var isFound = false
        _ = try expression.replacing { part in
            if try aggregate(part) != nil { isFound = true }
            return isFound ? part : nil
        }
        return isFound
    }

    /// The expression for a group: aggregates and what makes the group are variables in it.
    mutating func grouped(_ expression: FilterExpression) throws -> FilterExpression {
        var variables: [String: FilterTerm] = [:]
        let result = try expression.replacing { part in
            if let (function, element) = try aggregate(part) {
                let name = "\u{0}a\(variables.count)"
                variables[name] = try term(function, element, part)
                return .variable(name)
            }
            switch part {
            case .subject: throw notGrouped("SELF")
            case .keyPath(let path):
                let group = groups.enumerated().filter { path.starts(with: $0.element.path) }
                    .max { $0.element.path.count < $1.element.path.count }
                guard let group else { throw notGrouped(path.joined(separator: ".")) }
                let name = "\u{0}g\(group.offset)"
                variables[name] = group.element.term
                let rest = path[group.element.path.count...]
                return rest.isEmpty ? .variable(name) : .path(.variable(name), Array(rest))
            default: return nil
            }
        }
        translator.variables = variables
        return result
    }

    private func notGrouped(_ name: String) -> FetchError {
        FetchError(
            .group,
            "\(name) is not the same for all rows of a group; group by it, or ask for its sum, least or greatest")
    }

    /// The function and its element, if an expression is an aggregate over rows.
    ///
    /// Of a relationship to many or of a list, a function gives a value for each row already.
    private mutating func aggregate(_ part: FilterExpression) throws -> (FilterFunction, FilterTerm)? {
        guard case .function(let function, let arguments) = part, arguments.count == 1, let argument = arguments.first,
            function == .count || function == .mode || FetchAggregate.names[function] != nil
        else { return nil }
        // What speaks of the elements of a SUBQUERY is computed there.
        var hasVariable = false
        _ = try argument.replacing { inner in
            if case .variable = inner { hasVariable = true }
            return nil
        }
        if hasVariable { return nil }
        guard case .term(let element) = try translator.side(argument), element.constant == nil else { return nil }
        if function == .mode { throw FetchError(.unsupported, "the store cannot compute \(part)") }
        if case .function = argument, try hasAggregate(argument) {
            throw FetchError(.group, "\(part) is an aggregate of an aggregate; ask for one of them")
        }
        return (function, element)
    }

    private mutating func term(
        _ function: FilterFunction, _ element: FilterTerm, _ part: FilterExpression
    ) throws -> FilterTerm {
        // Nothing is counted, as in memory.
        if function == .count { return FilterTerm("COUNT(*)", .integer) }
        let isExtreme = function == .min || function == .max
        if isExtreme, element.kind.isNative || element.kind == .date, element.kind != .object {
            return FilterTerm(
                function == .min ? "MIN(\(element.sql))" : "MAX(\(element.sql))", element.kind)
        }
        guard element.kind.family == .number, let name = FetchAggregate.names[function] else {
            throw FetchError(
                isExtreme ? .unsupported : .value,
                isExtreme ? "the store cannot compute \(part)" : "\(part) needs numbers")
        }
        needsOrder = true
        return FilterTerm("\(SQLFragment(trusted: name))(\(element.arguments))", .number)
    }
}
