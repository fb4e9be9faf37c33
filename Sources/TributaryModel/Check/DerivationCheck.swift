/// Infers the kind of a derivation's value from a model, and reports why a derivation is not valid.
struct DerivationCheck {
    /// The reason why a derivation is not valid, as a predicate of the attribute.
    struct Fault: Error { let reason: String }

    let check: ModelCheck
    /// The index of the entity whose objects have the derived attribute.
    let entity: Int
    /// The kinds of the variables of the enclosing SUBQUERYs.
    var variables: [String: DerivationKind] = [:]

    /// The kind of the value of `expression`.
    func kind(of expression: FilterExpression) throws(Fault) -> DerivationKind {
        switch expression {
        case .constant(let value): return DerivationKind(value)
        case .subject: return .object(entity)
        case .keyPath(let keys): return try follow(keys[...], from: .object(entity))
        case .path(let base, let keys): return try follow(keys[...], from: kind(of: base))
        case .variable(let name):
            guard let kind = variables[name] else {
                throw Fault(
                    reason: "has the variable $\(name), which has no value in a derivation; write the value itself")
            }
            return kind
        case .aggregate(let elements):
            for element in elements { _ = try kind(of: element) }
            return .several(.unknown)
        case .negation(let inner):
            try number(inner)
            return .number
        case .operation(let operation, let left, let right): return try combine(operation, left, right)
        case .function(let function, let arguments): return try call(function, arguments)
        case .subquery(let collection, let variable, let filter):
            let elements = try kind(of: collection)
            var inner = self
            inner.variables[variable] = elements.element
            try inner.validate(filter)
            return elements.isSeveral ? elements : .several(elements)
        case .ternary(let filter, let yes, let no):
            try validate(filter)
            let (one, other) = (try kind(of: yes), try kind(of: no))
            return one == other || other == .null ? one : one == .null ? other : .unknown
        case .cast(let inner, let type):
            _ = try kind(of: inner)
            return DerivationKind(type)
        case .element(let base, let index):
            let base = try kind(of: base)
            if case .at(let index) = index { try number(index) }
            return index == .size ? .number : base.element
        }
    }

    /// Throws if an expression in a filter is not valid.
    private func validate(_ filter: Filter) throws(Fault) {
        switch filter.form {
        case .always, .never, .malformed: return
        case .comparison(let comparison):
            _ = try kind(of: comparison.left)
            _ = try kind(of: comparison.right)
        case .and(let filters), .or(let filters): for filter in filters { try validate(filter) }
        case .not(let filter): try validate(filter)
        }
    }

    private func number(_ expression: FilterExpression) throws(Fault) {
        let kind = try kind(of: expression)
        guard kind.isNumber else {
            throw Fault(reason: "computes with \(expression), which is \(kind.name); use numbers")
        }
    }

    private func combine(
        _ operation: FilterOperation, _ left: FilterExpression, _ right: FilterExpression
    ) throws(Fault) -> DerivationKind {
        let (one, other) = (try kind(of: left), try kind(of: right))
        switch operation {
        case .union, .intersect, .minus: return one.isSeveral ? one : .several(one)
        // A date and seconds make a date, two dates make seconds.
        case .subtract where one == .date && other == .date: return .number
        case .add where one == .date && other.isNumber, .subtract where one == .date && other.isNumber: return .date
        default:
            try number(left)
            try number(right)
            return one == .unknown || other == .unknown ? .unknown : .number
        }
    }

    private func call(_ function: FilterFunction, _ arguments: [FilterExpression]) throws(Fault) -> DerivationKind {
        let kinds = try arguments.map { argument throws(Fault) in try kind(of: argument) }
        switch function {
        case .now: return .date
        case .min, .max: return kinds.count == 1 ? kinds[0].element : .unknown
        case .mode: return .several(.unknown)
        case .noindex: return kinds.first ?? .null
        case .uppercase, .lowercase, .canonical, .length:
            guard let kind = kinds.first, [.text, .unknown, .null].contains(kind) else {
                throw Fault(reason: "needs text for \(function.rawValue); \(arguments[0]) is \(kinds[0].name)")
            }
            return function == .length ? .number : .text
        case .sum, .average, .median, .stddev:
            for (kind, argument) in zip(kinds, arguments) where !kind.element.isNumber {
                throw Fault(reason: "computes with \(argument), which is \(kind.element.name); use numbers")
            }
            return .number
        case .count: return .number
        default:
            for argument in arguments { try number(argument) }
            return .number
        }
    }
}
