/// Finds out what a derivation gives, and what is wrong with it, from what a model states.
struct DerivationCheck {
    /// What is wrong, to be said behind the name of the attribute.
    struct Fault: Error { let reason: String }

    let check: ModelCheck
    /// The entity of the object that an expression is about.
    let entity: Int
    /// What the variables of the SUBQUERYs around stand for.
    var variables: [String: DerivationKind] = [:]

    init(_ check: ModelCheck, entity: Int) {
        self.check = check
        self.entity = entity
    }

    /// What `expression` gives.
    func kind(of expression: FilterExpression) throws(Fault) -> DerivationKind {
        switch expression {
        case .constant(let value): return DerivationKind(value)
        case .subject: return .object(entity)
        case .keyPath(let keys): return try follow(keys[...], from: .object(entity))
        case .path(let base, let keys): return try follow(keys[...], from: kind(of: base))
        case .variable(let name):
            guard let kind = variables[name] else {
                throw Fault(reason: "has the variable $\(name), which nobody fills; write the value")
            }
            return kind
        case .aggregate(let elements):
            for element in elements { _ = try kind(of: element) }
            return .several(.anything)
        case .negation(let inner):
            try number(inner)
            return .number
        case .operation(let operation, let left, let right): return try combine(operation, left, right)
        case .function(let function, let arguments): return try call(function, arguments)
        case .subquery(let collection, let variable, let filter):
            let elements = try kind(of: collection)
            var inner = self
            inner.variables[variable] = elements.element
            try inner.look(at: filter)
            return elements.isSeveral ? elements : .several(elements)
        case .ternary(let filter, let yes, let no):
            try look(at: filter)
            let (one, other) = (try kind(of: yes), try kind(of: no))
            return one == other || other == .nothing ? one : one == .nothing ? other : .anything
        case .cast(let inner, let type):
            _ = try kind(of: inner)
            return DerivationKind(type)
        case .element(let base, let index):
            let base = try kind(of: base)
            if case .at(let index) = index { try number(index) }
            return index == .size ? .number : base.element
        }
    }

    /// Looks whether all that a filter reads is there.
    private func look(at filter: Filter) throws(Fault) {
        switch filter.form {
        case .always, .never, .malformed: return
        case .comparison(let comparison):
            _ = try kind(of: comparison.left)
            _ = try kind(of: comparison.right)
        case .and(let filters), .or(let filters): for filter in filters { try look(at: filter) }
        case .not(let filter): try look(at: filter)
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
        // A moment and seconds make a moment, two moments make seconds.
        case .subtract where one == .date && other == .date: return .number
        case .add where one == .date && other.isNumber, .subtract where one == .date && other.isNumber: return .date
        default:
            try number(left)
            try number(right)
            return one == .anything || other == .anything ? .anything : .number
        }
    }

    private func call(_ function: FilterFunction, _ arguments: [FilterExpression]) throws(Fault) -> DerivationKind {
        let kinds = try arguments.map { argument throws(Fault) in try kind(of: argument) }
        switch function {
        case .now: return .date
        case .min, .max: return kinds.count == 1 ? kinds[0].element : .anything
        case .mode: return .several(.anything)
        case .noindex: return kinds.first ?? .nothing
        case .uppercase, .lowercase, .canonical, .length:
            guard let kind = kinds.first, [.text, .anything, .nothing].contains(kind) else {
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
