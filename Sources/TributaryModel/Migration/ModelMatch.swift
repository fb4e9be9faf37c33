/// Which entities and properties of an earlier model are those of a later one: by name, or by renaming identifier.
///
/// A renaming identifier is the name in an earlier model, or an identifier that both models give.
package struct ModelMatch: Sendable {
    /// The earlier model.
    package let source: Model
    /// The later model.
    package let destination: Model
    /// The matched entities of the earlier model, by the index of the later one.
    private let entities: [Int: Entity]
    /// The matched entities of the later model, by the index of the earlier one.
    private let destinations: [Int: Entity]
    /// The matched properties, by the index of the later entity and the name of the later property.
    private let properties: [Int: [String: Property]]

    /// Matches two models; reversed, `destination` is the earlier version, to which `source` is migrated back.
    ///
    /// Attributes that custom steps compute, by entity of the destination, match nothing.
    package init(
        _ source: Model, _ destination: Model, computed: [String: Set<String>] = [:], isReversed: Bool = false
    ) {
        (self.source, self.destination) = (source, destination)
        // Names of one and the same version are not those of an earlier one.
        let isSame = source.versionHashes() == destination.versionHashes()
        func match(_ later: [Named], _ earlier: [Named], _ isReversed: Bool) -> [String: String] {
            guard isSame else { return Self.match(later, earlier, isReversed) }
            return Self.match(later.map { ($0.name, nil) }, earlier.map { ($0.name, nil) }, false)
        }
        let names = match(
            destination.entities.map { ($0.name, $0.declaration.renamingIdentifier) },
            source.entities.map { ($0.name, $0.declaration.renamingIdentifier) }, isReversed)
        var (entities, destinations): ([Int: Entity], [Int: Entity]) = ([:], [:])
        for (later, earlier) in names {
            guard let one = destination[later], let other = source[earlier] else { continue }
            entities[one.index] = other
            destinations[other.index] = one
        }
        var properties: [Int: [String: Property]] = [:]
        for (index, other) in entities {
            let entity = destination.entities[index]
            let steps = ([entity] + entity.ancestors).reduce(into: Set<String>()) {
                $0.formUnion(computed[$1.name] ?? [])
            }
            let own = entity.properties.filter { !steps.contains($0.name) }
            let matched = match(own.map(Self.named), other.properties.map(Self.named), isReversed)
            properties[index] = matched.reduce(into: [:]) { found, pair in
                guard let one = entity[pair.key], let earlier = other[pair.value],
                    (one.attribute == nil) == (earlier.attribute == nil)
                else { return }
                found[pair.key] = earlier
            }
        }
        (self.entities, self.destinations, self.properties) = (entities, destinations, properties)
    }

    /// The earlier entity of a later one; nil if it is new.
    package func source(of entity: Entity) -> Entity? { entities[entity.index] }

    /// The later entity of an earlier one; nil if it was removed.
    package func destination(of entity: Entity) -> Entity? { destinations[entity.index] }

    /// The earlier property from which objects of a later entity have their values; nil if it is new for them.
    package func source(of property: Property, in entity: Entity) -> Property? {
        properties[entity.index]?[property.name]
    }

    /// The earlier relationship of a later one of the entity that declares it.
    package func source(of relationship: RelationshipProperty) -> RelationshipProperty? {
        source(of: .relationship(relationship), in: relationship.entity)?.relationship
    }

    /// The properties of a later entity that have their values from an earlier property.
    package func destinations(of property: Property, in entity: Entity) -> [Property] {
        entity.properties.filter { source(of: $0, in: entity).map { $0 == property } ?? false }
    }

    // MARK: Names

    private typealias Named = (name: String, identifier: String?)

    private static func named(_ property: Property) -> Named {
        switch property {
        case .attribute(let attribute): (attribute.name, attribute.declaration.renamingIdentifier)
        case .relationship(let relationship): (relationship.name, relationship.declaration.renamingIdentifier)
        }
    }

    /// The earlier name of each later one; each earlier name is used once.
    private static func match(_ later: [Named], _ earlier: [Named], _ isReversed: Bool) -> [String: String] {
        guard !isReversed else {
            let forward = match(earlier, later, false)
            return Dictionary(forward.map { ($0.value, $0.key) }) { first, _ in first }
        }
        var found: [String: String] = [:]
        var free = earlier
        func take(_ one: Named, where isIt: (Named) -> Bool) {
            guard found[one.name] == nil, let place = free.firstIndex(where: isIt) else { return }
            found[one.name] = free.remove(at: place).name
        }
        // An identifier that a later version has kept is that of an earlier renaming.
        for one in later where one.identifier != nil {
            take(one) { $0.name == one.name && $0.identifier == one.identifier }
        }
        for one in later {
            guard let identifier = one.identifier else { continue }
            take(one) { $0.name == identifier }
            take(one) { $0.identifier == identifier }
        }
        for one in later { take(one) { $0.name == one.name } }
        for one in later { take(one) { $0.identifier == one.name } }
        return found
    }
}
