extension DerivationCheck {
    /// The kind of the value at the end of a path.
    func follow(_ keys: ArraySlice<String>, from base: DerivationKind) throws(Fault) -> DerivationKind {
        var current = base
        var rest = keys
        while let key = rest.popFirst() {
            if key.hasPrefix("@") { return try aggregate(key, of: current, rest) }
            current = try step(key, from: current)
        }
        return current
    }

    private func step(_ key: String, from base: DerivationKind) throws(Fault) -> DerivationKind {
        switch base {
        case .unknown, .null: return .unknown
        case .several(let kind): return .several(try step(key, from: kind).element)
        case .object(let entity): return try property(key, of: entity)
        case .objects(let entity):
            switch try property(key, of: entity) {
            case .object(let destination), .objects(let destination): return .objects(destination)
            case let kind: return .several(kind.element)
            }
        default: throw Fault(reason: "reads \"\(key)\" from \(base.name), which has no keys; end the path before it")
        }
    }

    private func property(_ key: String, of entity: Int) throws(Fault) -> DerivationKind {
        switch check.properties[entity][key] {
        case .attribute(let attribute): return DerivationKind(attribute.type)
        case .relationship(let relationship):
            // An unknown destination is reported by the check of relationships.
            guard let destination = check.entityIndexes[relationship.destination] else { return .unknown }
            return relationship.isToMany ? .objects(destination) : .object(destination)
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
    ) throws(Fault) -> DerivationKind {
        let isSelection = name.hasPrefix("@distinctUnion") || name.hasPrefix("@union")
        let path = isSelection ? rest.prefix { !$0.hasPrefix("@") } : rest
        let elements = try follow(path, from: base)
        if isSelection { return try follow(rest.dropFirst(path.count), from: .several(elements.element)) }
        switch name {
        case "@count": return .number
        case "@min", "@max": return elements.element
        case "@sum", "@avg":
            guard elements.element.isNumber else {
                throw Fault(reason: "computes \(name) of \(elements.element.name); use numbers")
            }
            return .number
        default: throw Fault(reason: "has the collection operator \(name), which is unknown; correct the name")
        }
    }
}
