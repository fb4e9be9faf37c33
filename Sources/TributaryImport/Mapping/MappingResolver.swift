import TributaryStore
import TributaryJSON

/// Finds the mapping of an entity: that of the route, of the options, or of the model, in this order.
package struct MappingResolver: Sendable {
    /// The entry of `userInfo` with the rule of an attribute or relationship, or the mapping of an entity.
    static let entry = "json"
    private let mappings: Mappings
    let classes: MappedClasses

    /// Finds mappings among those of the options first, then among those of classes.
    package init(_ mappings: Mappings, _ classes: MappedClasses = MappedClasses()) {
        (self.mappings, self.classes) = (mappings, classes)
    }

    /// The mapping of the options, of the model if the entity has an entry, or else of the class.
    ///
    /// Entries of single properties complete the mapping of the class.
    package func mapping(of entity: Entity) throws -> Mapping {
        if let mapping = mappings[entity.name] { return mapping }
        let declared = try MappingResolver.declared(entity)
        guard var mapping = classes.mappings[entity.name], entity.userInfo[MappingResolver.entry] == nil else {
            return declared
        }
        mapping.properties.merge(declared.properties) { own, _ in own }
        return mapping
    }

    /// The complete mappings of an entity and of all that its records may contain, with the paths of all properties.
    package func complete(_ entity: Entity, key: ImportKey?) throws -> Mappings {
        var mappings = Mappings()
        var open = [try resolve(entity, key: key, isKeyless: key == nil)]
        while let mapping = open.popLast() {
            guard mappings[mapping.entity.name] == nil else { continue }
            mappings[mapping.entity.name] = mapping.complete
            for relation in mapping.relations {
                var byKey = relation
                byKey.finder = nil
                open.append(try resolve(byKey))
            }
        }
        return mappings
    }

    /// The mapping of an entity by a key; nil for that of the mapping, or of the model.
    ///
    /// A mapping given with a call, `inline`, adds to that of the options, the class or the model.
    package func resolve(
        _ entity: Entity, _ inline: Mapping? = nil, key: ImportKey? = nil, isKeyless: Bool = false,
        takesRelations: Bool = true
    ) throws -> EntityMapping {
        let general = try mapping(of: entity)
        let mapping = inline?.added(to: general) ?? general
        var parts: [ImportKey.Part] = []
        if !isKeyless {
            let stated = key?.parts.isEmpty ?? true ? mapping.key.map { ImportKey($0) } : key
            guard let wanted = try stated ?? ImportKey.constraint(of: entity) else {
                throw ImportError(
                    .route, "neither the route nor the model has a key for \(entity.name)", hint: "name the key")
            }
            try wanted.checkLength()
            parts = wanted.parts
        }
        let resolved = try EntityMapping(entity, mapping, key: parts)
        return takesRelations ? resolved : try resolved.withoutRelations(mapping)
    }

    /// The mapping of the objects of a relation, by the attributes that its rule names, by their key, or without any.
    func resolve(_ relation: MappedRelation) throws -> EntityMapping {
        let entity = relation.destination
        let place = "\(relation.relationship.entity.name).\(relation.name)"
        let mapping = try mapping(of: entity)
        let names = try relation.finder ?? mapping.key ?? ImportKey.constraint(of: entity)?.parts.map(\.attribute) ?? []
        if let finder = relation.finder, let other = finder.first(where: { entity.attribute(named: $0) == nil }) {
            throw ImportError(
                .route,
                "the mapping finds the objects of \(place) by \(other), but \(entity.name) has no such attribute",
                hint: "it has \(entity.attributes.map(\.name).shortList)")
        }
        guard names.count <= WaitingTable.keyWidth else {
            throw ImportError(
                .route, "the key of \(entity.name) has \(names.count) attributes, which is too long for \(place)",
                hint: "use at most \(WaitingTable.keyWidth), or map the relationship by other attributes")
        }
        return try resolve(entity, key: ImportKey(names), isKeyless: names.isEmpty)
    }

    /// The mapping in the `userInfo` of an entity and its properties.
    private static func declared(_ entity: Entity) throws -> Mapping {
        var mapping = Mapping()
        if let text = entity.userInfo[entry] {
            mapping = try MappingCoding.decode(
                Mapping.self, Array(text.utf8), from: "the entry \(entry) of \(entity.name)")
        }
        for property in entity.properties {
            let info = property.attribute?.declaration.userInfo ?? property.relationship?.declaration.userInfo
            guard mapping.properties[property.name] == nil, let text = info?[entry] else { continue }
            let place = "the entry \(entry) of \(entity.name).\(property.name)"
            mapping[property.name] =
                text.hasPrefix("{")
                ? try MappingCoding.decode(PropertyRule.self, Array(text.utf8), from: place)
                : PropertyRule(RemoteKey(text))
        }
        return mapping
    }
}
