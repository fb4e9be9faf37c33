import TributaryModel

/// The relationships that an export writes: one side of each pair, so that an import of all files makes the same links.
///
///     Book.author, Author.books            the key of the author in each book
///     Author.books with an order           the keys of the books in each author
///     Note.author, notes without a key     the key of the author in each note; the notes are in their order
struct ExportLinks {
    /// The relationships that are written.
    private(set) var written: Set<RelationshipProperty> = []
    /// The ordered relationships whose order is that of the rows of an entity.
    private(set) var orders: [Entity: RelationshipProperty] = [:]
    /// Why relationships cannot be written.
    private(set) var faults: [RelationshipProperty: String] = [:]

    private let nesting: ExportNesting

    /// Chooses the relationships of a model, first of all those that are nested.
    init(_ model: Model, _ nesting: ExportNesting = ExportNesting()) {
        self.nesting = nesting
        var seen: Set<RelationshipProperty> = []
        for entity in model.entities {
            for relationship in entity.relationships where relationship.entity == entity {
                guard !seen.contains(relationship) else { continue }
                let sides = [relationship, relationship.inverse].compactMap(\.self)
                seen.formUnion(sides)
                if let inner = sides.first(where: nesting.relationships.contains) {
                    written.insert(inner)
                    continue
                }
                choose(sides.count == 2 && sides[0] != sides[1] ? sides : [relationship])
            }
        }
    }

    /// Chooses one of the sides of a relationship.
    private mutating func choose(_ sides: [RelationshipProperty]) {
        let stored = sides.filter { !$0.isTransient }
        guard !stored.isEmpty else { return }
        let possible = stored.filter(\.destination.canBeReferredTo)
        let chosen: [RelationshipProperty]
        if let one = sides.first(where: { !$0.isToMany }), let many = sides.first(where: \.isToMany) {
            chosen = choose(one, many, possible)
        } else if sides[0].isToMany {
            let ordered = stored.filter(\.isOrdered)
            chosen = ordered.isEmpty ? Array(possible.prefix(1)) : ordered.filter(possible.contains)
            if chosen.count < ordered.count { return refuse(ordered.first { !possible.contains($0) } ?? sides[0]) }
        } else {
            // A new row needs what it must have at once.
            chosen = Array((possible.filter { !$0.isOptional } + possible).prefix(1))
        }
        if chosen.isEmpty {
            refuse(stored.first { !possible.contains($0) } ?? stored[0])
        } else {
            written.formUnion(chosen)
        }
    }

    /// Chooses a side of a to-one relationship and its to-many inverse.
    private mutating func choose(
        _ one: RelationshipProperty, _ many: RelationshipProperty, _ possible: [RelationshipProperty]
    ) -> [RelationshipProperty] {
        let canList = one.isOptional && possible.contains(many)
        guard many.isOrdered else { return possible.contains(one) ? [one] : canList ? [many] : [] }
        if canList { return [many] }
        let owners = one.entity.concreteEntities
        guard possible.contains(one), owners.count == 1, orders[owners[0]] == nil else { return [] }
        orders[owners[0]] = many
        return [one]
    }

    private mutating func refuse(_ relationship: RelationshipProperty) {
        let destination = relationship.destination
        let reason =
            destination.exportKey.isEmpty
            ? "\(destination.name) has no uniqueness constraint of attributes"
            : destination.exportKey.count > 1
                ? "the key of \(destination.name) has several attributes"
                : destination.canBeReferredTo
                    ? "their order cannot be, since \(relationship.entity.name) has no key, or an owner that it needs"
                    : "\(destination.name) is abstract and has several subentities"
        faults[relationship] =
            "the links of \(relationship.entity.name).\(relationship.name) cannot be exported: \(reason)"
    }

    /// The entities with objects, each after those that its objects refer to, as far as possible.
    func inImportOrder(_ model: Model) -> [Entity] {
        var rest = model.entities.filter { !$0.isAbstract }
        var sorted: [Entity] = []
        // Objects inside of others are imported with them.
        func waits(_ entity: Entity, onlyRequired: Bool, besides outer: Set<Entity> = []) -> Bool {
            entity.relationships.contains { relationship in
                if nesting.relationships.contains(relationship) {
                    return relationship.destination.concreteEntities.contains {
                        waits($0, onlyRequired: onlyRequired, besides: outer.union([entity]))
                    }
                }
                guard written.contains(relationship),
                    !onlyRequired || !relationship.isToMany && !relationship.isOptional
                else { return false }
                return relationship.destination.concreteEntities.contains {
                    $0 != entity && !outer.contains($0) && rest.contains($0)
                }
            }
        }
        while !rest.isEmpty {
            let next =
                rest.firstIndex { !waits($0, onlyRequired: false) }
                ?? rest.firstIndex { !waits($0, onlyRequired: true) }
            sorted.append(rest.remove(at: next ?? 0))
        }
        return sorted
    }
}
