/// Infers the kind of a derivation's value from a model, and reports why a derivation is not valid.
struct DerivationCheck {
    /// The reason why a derivation is not valid, as a predicate of the attribute.
    struct Fault: Error { let reason: String }

    let check: ModelCheck
    /// The index of the entity whose objects have the derived attribute.
    let entity: Int
    /// The kinds of the variables of the enclosing SUBQUERYs.
    var variables: [String: DerivationKind] = [:]

    func kind(of expression: FilterExpression) throws -> DerivationKind {
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
        case .negation(let inner): return try number([inner])
        case .operation(let operation, let left, let right): return try combine(operation, left, right)
        case .function(let function, let arguments): return try call(function, arguments)
        case .subquery(let collection, let variable, let filter):
            let elements = try kind(of: collection)
            var inner = self
            inner.variables[variable] = elements.element
            try inner.validate(filter)
            return elements.collected
        case .ternary(let filter, let yes, let no):
            try validate(filter)
            let (one, other) = (try kind(of: yes), try kind(of: no))
            return one == other || other == .null ? one : one == .null ? other : .unknown
        case .cast(let inner, let type):
            _ = try kind(of: inner)
            return DerivationKind(type)
        case .element(let base, let index):
            let base = try kind(of: base)
            if case .at(let index) = index { _ = try number([index]) }
            return index == .size ? .number : base.element
        }
    }

    private func validate(_ filter: Filter) throws {
        _ = try filter.mapping { side in
            _ = try kind(of: side)
            return side
        }
    }

    private func number(_ expressions: [FilterExpression]) throws -> DerivationKind {
        for expression in expressions { try require(try kind(of: expression), expression) }
        return .number
    }

    private func require(_ kind: DerivationKind, _ expression: FilterExpression) throws {
        guard kind.isNumber else {
            throw Fault(reason: "computes with \(expression), which is \(kind.name); use numbers")
        }
    }

    private func combine(
        _ operation: FilterOperation, _ left: FilterExpression, _ right: FilterExpression
    ) throws -> DerivationKind {
        let (one, other) = (try kind(of: left), try kind(of: right))
        switch operation {
        case .union, .intersect, .minus: return one.collected
        // A date and seconds make a date, two dates make seconds.
        case .subtract where one == .date && other == .date: return .number
        case .add where one == .date && other.isNumber, .subtract where one == .date && other.isNumber: return .date
        default:
            _ = try number([left, right])
            return one == .unknown || other == .unknown ? .unknown : .number
        }
    }

    private func call(_ function: FilterFunction, _ arguments: [FilterExpression]) throws -> DerivationKind {
        let kinds = try arguments.map { try kind(of: $0) }
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
            for (kind, argument) in zip(kinds, arguments) { try require(kind.element, argument) }
            return .number
        case .count: return .number
        default: return try number(arguments)
        }
    }

    // MARK: Paths

    /// The kind of the value at the end of a path.
    private func follow(_ keys: ArraySlice<String>, from base: DerivationKind) throws -> DerivationKind {
        var current = base
        var rest = keys
        while let key = rest.popFirst() {
            if key.hasPrefix("@") { return try aggregate(key, of: current, rest) }
            current = try step(key, from: current)
        }
        return current
    }

    private func step(_ key: String, from base: DerivationKind) throws -> DerivationKind {
        switch base {
        case .unknown, .null: return .unknown
        case .several(let kind): return .several(try step(key, from: kind).element)
        case .object(let entity): return try property(key, of: entity)
        default: throw Fault(reason: "reads \"\(key)\" from \(base.name), which has no keys; end the path before it")
        }
    }

    private func property(_ key: String, of entity: Int) throws -> DerivationKind {
        switch check.properties[entity][key] {
        case .attribute(let attribute): return DerivationKind(attribute.type)
        case .relationship(let relationship):
            // An unknown destination is reported by the check of relationships.
            guard let destination = check.entityIndexes[relationship.destination] else { return .unknown }
            return relationship.isToMany ? .several(.object(destination)) : .object(destination)
        case .fetched: throw Fault(reason: "reads \"\(key)\", which is a fetched property; leave it out")
        case nil:
            let name = check.model.entities[entity].name
            throw Fault(
                reason: "reads \"\(key)\", which is not a property of entity \"\(name)\"; add it or correct the name")
        }
    }

    /// The kind of a collection operator with the path after it: `items.@sum.price`, `items.price.@sum`,
    /// `@sum.items.price`.
    private func aggregate(
        _ name: String, of base: DerivationKind, _ rest: ArraySlice<String>
    ) throws -> DerivationKind {
        let isSelection = name.hasPrefix("@distinctUnion") || name.hasPrefix("@union")
        let path = isSelection ? rest.prefix { !$0.hasPrefix("@") } : rest
        let element = try follow(path, from: base).element
        if isSelection { return try follow(rest.dropFirst(path.count), from: .several(element)) }
        switch name {
        case "@count": return .number
        case "@min", "@max": return element
        case "@sum", "@avg":
            guard element.isNumber else {
                throw Fault(reason: "computes \(name) of \(element.name); use numbers")
            }
            return .number
        default: throw Fault(reason: "has the collection operator \(name), which is unknown; correct the name")
        }
    }
}
