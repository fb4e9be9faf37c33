import TributaryModel

/// Turns the paths of a filter into numbers, and finds what a filter of records cannot have.
struct RecordFilterCompiler {
    /// The paths of members.
    private(set) var paths: [[String]] = []
    private var fault: FilterError?
    /// The variables of SUBQUERYs.
    private var variables: Set<String> = []

    /// The operators of collections, which are no members.
    private static let operators: Set = ["@count", "@sum", "@avg", "@min", "@max"]

    /// The filter with paths as numbers, and why records cannot have it.
    mutating func compile(_ filter: Filter) -> (Filter, FilterError?) {
        if let error = filter.error { return (.never, error) }
        checkPatterns(filter)
        let compiled = filter.mapping { replacement(of: $0) }
        return (compiled, fault)
    }

    private mutating func replacement(of expression: FilterExpression) -> FilterExpression? {
        switch expression {
        case .keyPath(let keys), .path(.subject, let keys): return number(keys)
        case .subject: refuse("SELF is the record itself, which has no value; name a member")
        case .variable(let name) where !variables.contains(name): refuse("the variable $\(name) has no value")
        case .subquery(_, let variable, let filter):
            variables.insert(variable)
            checkPatterns(filter)
        case .ternary(let filter, _, _): checkPatterns(filter)
        case .function(let function, _) where [.now, .random, .randomn].contains(function):
            refuse("\(function.rawValue)() has other values when the import is resumed; write a constant")
        default: break
        }
        return nil
    }

    private mutating func number(_ keys: [String]) -> FilterExpression {
        let path = Array(keys.prefix { !isOperator($0) })
        let rest = Array(keys[path.count...])
        guard !path.isEmpty else {
            refuse("\(keys.joined(separator: ".")) has no collection before it; name a member")
            return .constant(.null)
        }
        let number = paths.firstIndex { $0.elementsEqual(path) { $0.utf8.elementsEqual($1.utf8) } } ?? paths.count
        if number == paths.count { paths.append(path) }
        let start = FilterExpression.keyPath([RecordMembers.key(of: number)])
        return rest.isEmpty ? start : .path(start, rest)
    }

    private func isOperator(_ key: String) -> Bool {
        Self.operators.contains(key) || key.hasPrefix("@distinctUnionOf") || key.hasPrefix("@unionOf")
    }

    /// Finds regular expressions that are not valid.
    private mutating func checkPatterns(_ filter: Filter) {
        switch filter.form {
        case .always, .never, .malformed: break
        case .and(let filters), .or(let filters): for filter in filters { checkPatterns(filter) }
        case .not(let filter): checkPatterns(filter)
        case .comparison(let comparison):
            guard comparison.operator == .matches, case .constant(let pattern) = comparison.right else { return }
            do throws(FilterError) {
                _ = try comparison.holds(.value(.string("")), .value(pattern))
            } catch {
                if fault == nil { fault = error }
            }
        }
    }

    private mutating func refuse(_ reason: String) {
        if fault == nil { fault = FilterError(.unsupported, reason) }
    }
}
