import TributarySQLite

/// Aggregates over the rows of a group, and values that all its rows share.
extension ValueTranslation {
    /// Whether an expression contains an aggregate over rows.
    mutating func hasAggregate(_ expression: FilterExpression) throws -> Bool {
        var isFound = false
        _ = try expression.mapping { part in
            if try aggregate(part) != nil { isFound = true }
            return isFound ? part : nil
        }
        return isFound
    }

    /// The expression for a group, with variables in place of aggregates and of the key paths that are grouped by.
    mutating func grouped(_ expression: FilterExpression) throws -> FilterExpression {
        var variables: [String: FilterTerm] = [:]
        let result = try expression.mapping { part in
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
            "\(name) has no single value for a group; group by it, or use an aggregate such as sum, min or max")
    }

    /// The function and its element, if an expression is an aggregate over rows.
    ///
    /// A function of a to-many relationship or of a list is not: it has a value for each row.
    private mutating func aggregate(_ part: FilterExpression) throws -> (FilterFunction, FilterTerm)? {
        guard case .function(let function, let arguments) = part, arguments.count == 1, let argument = arguments.first,
            function == .count || function == .mode || FetchAggregate.names[function] != nil
        else { return nil }
        // A function of a variable of a SUBQUERY around it is computed in the SUBQUERY.
        var (hasVariable, inner) = (false, Set<String>())
        _ = argument.mapping { part in
            switch part {
            case .subquery(_, let variable, _): inner.insert(variable)
            case .variable(let name): hasVariable = hasVariable || !inner.contains(name)
            default: break
            }
            return nil
        }
        if hasVariable { return nil }
        guard !argument.isConstant, case .term(let element) = try translator.side(argument) else { return nil }
        if function == .mode { throw FetchError(.unsupported, "the store cannot compute \(part)") }
        if try hasAggregate(argument) {
            throw FetchError(.group, "\(part) is an aggregate of an aggregate; use only one of them")
        }
        return (function, element)
    }

    private mutating func term(
        _ function: FilterFunction, _ element: FilterTerm, _ part: FilterExpression
    ) throws -> FilterTerm {
        // Null is counted, as in memory.
        if function == .count { return FilterTerm("COUNT(*)", .integer) }
        let isExtreme = function == .min || function == .max
        if isExtreme, element.kind.isNative || element.kind == .date, element.kind != .object {
            return FilterTerm(
                function == .min ? "MIN(\(element.sql))" : "MAX(\(element.sql))", element.kind)
        }
        guard element.kind.family == .number || element.isNull, let name = FetchAggregate.names[function] else {
            throw FetchError(
                isExtreme ? .unsupported : .value,
                isExtreme ? "the store cannot compute \(part)" : "\(part) needs numbers")
        }
        needsOrder = true
        return FilterTerm("\(SQLFragment(trusted: name))(\(element.arguments))", .number)
    }
}
