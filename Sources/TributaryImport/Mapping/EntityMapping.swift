import TributaryStore
import TributaryJSON

/// The mapping of an entity, with everything resolved: which members set which properties, and how.
package final class EntityMapping: Sendable {
    package let entity: Entity
    /// The attributes of the key; empty if each record makes an object.
    package let key: [AttributeProperty]
    /// All attributes that are stored, in the order of the entity.
    package let attributes: [MappedAttribute]
    package let relations: [MappedRelation]
    /// The indexes of the attributes in the order in which those of an object are set.
    package let order: [Int]
    /// The paths of members that are never imported.
    package let ignored: [[String]]
    /// Whether typed values of Extended JSON become plain ones.
    let unwrapsExtendedJSON: Bool
    /// For the rows of a dictionary, the attribute that gets the keys.
    package let keyColumn: String?
    /// For the rows of a dictionary that keep its values as they are, the attribute that gets these.
    package let valueColumn: String?
    /// The mapping with the paths of all properties, from which it can be made again.
    let complete: Mapping

    /// The mapping as text; different mappings have different texts.
    var description: String { MappingCoding.text(complete, pretty: false) }

    /// The mapping of an entity; the parts of a key say where its values are, unless their paths are their names.
    init(_ entity: Entity, _ mapping: Mapping, key parts: [ImportKey.Part]) throws {
        self.entity = entity
        try EntityMapping.check(mapping, entity)
        let stored = entity.attributes.filter { !$0.isTransient && $0.declaration.derivation == nil }
        let key = try parts.map { part in
            guard let attribute = stored.first(where: { $0.name == part.attribute }) else {
                throw ImportError(
                    .route, "\(entity.name) has no attribute \(part.attribute) that can be a key",
                    hint: "it has \(stored.map(\.name).shortList)")
            }
            return attribute
        }
        self.key = key
        let keyPaths = Dictionary(parts.map { ($0.attribute, $0.remote.path) }) { first, _ in first }
            .filter { $1 != [$0] }
        let mapped = entity.relationships.filter { EntityMapping.isMapped($0, mapping) }
        let names = MemberNames(stored, mapped, mapping, keyPaths)
        let attributes = try stored.map { attribute in
            try MappedAttribute(
                attribute, mapping[attribute.name], mapping, isKey: key.contains(attribute),
                members: names.members(of: attribute.name))
        }
        if let ignored = attributes.first(where: { $0.isKey && $0.members.sources.isEmpty }) {
            throw ImportError(
                .route, "the mapping of \(entity.name) ignores the member of its key \(ignored.name)",
                hint: "do not ignore it, or name another key")
        }
        self.attributes = attributes
        let first = mapping.ordered.compactMap { name in attributes.firstIndex { $0.name == name } }
        order = first + attributes.indices.filter { !first.contains($0) }
        relations = try mapped.map { relationship in
            let rule = mapping[relationship.name]
            return MappedRelation(
                relationship: relationship, members: names.members(of: relationship.name),
                destination: try EntityMapping.destination(relationship, rule), finder: rule.finder,
                links: rule.links, policy: rule.policy, mismatch: rule.mismatch ?? mapping.mismatch,
                dangling: rule.dangling, newest: rule.newest)
        }
        ignored = mapping.ignored.map(\.path)
        unwrapsExtendedJSON = mapping.shaping?.unwrapsExtendedJSON ?? false
        (keyColumn, valueColumn) = (mapping.shaping?.keyColumn, mapping.shaping?.valueColumn)
        var complete = mapping
        complete.key = key.isEmpty ? nil : key.map(\.name)
        for name in attributes.map(\.name) + relations.map(\.name) {
            complete[name].paths = names.declaredPaths(of: name).map(RemoteKey.init(path:))
        }
        self.complete = complete
    }

    /// The mapping without relationships, as beside a route with a closure; their members have no property then.
    func withoutRelations(_ rules: Mapping) throws -> EntityMapping {
        if let relation = relations.first(where: { rules.properties[$0.name] != nil }) {
            throw ImportError(
                .route,
                "the mapping of \(entity.name) has a rule for \(relation.name), which cannot be imported together with a closure",
                hint: "import one after the other")
        }
        return EntityMapping(withoutRelations: self)
    }

    private init(withoutRelations mapping: EntityMapping) {
        (entity, key, attributes, relations) = (mapping.entity, mapping.key, mapping.attributes, [])
        (order, ignored, unwrapsExtendedJSON) = (mapping.order, mapping.ignored, mapping.unwrapsExtendedJSON)
        (keyColumn, valueColumn) = (mapping.keyColumn, mapping.valueColumn)
        var complete = mapping.complete
        for relation in mapping.relations { complete.properties[relation.name] = nil }
        self.complete = complete
    }

    private static func check(_ mapping: Mapping, _ entity: Entity) throws {
        if let name = mapping.ordered.first(where: { entity.attribute(named: $0) == nil }) {
            throw ImportError(
                .route, "the mapping of \(entity.name) orders \(name), which is no attribute of it",
                hint: "it has \(entity.attributes.map(\.name).shortList)")
        }
        for (name, rule) in mapping.properties.sorted(by: { $0.key < $1.key }) {
            guard let property = entity[name] else {
                throw ImportError(
                    .route, "the mapping of \(entity.name) has a rule for \(name), which is no property of it",
                    hint: "it has \(entity.properties.map(\.name).shortList)")
            }
            let isKept = property.attribute.map { !$0.isTransient && $0.declaration.derivation == nil } ?? true
            guard isKept, property.relationship?.isTransient != true else {
                throw ImportError(
                    .route, "the mapping of \(entity.name) has a rule for \(name), which is not stored as it is",
                    hint: "remove the rule, or set the property in a closure")
            }
            guard let newest = rule.newest else { continue }
            guard property.relationship.map({ !$0.isToMany && $0.inverse?.isToMany ?? true }) ?? true else {
                throw ImportError(
                    .route, "the mapping of \(entity.name).\(name) takes the newest, but it leads to several objects",
                    hint: "remove newest; it is for attributes and plain to-one relationships")
            }
            let isOrdered = entity.attribute(named: newest).map { !$0.isTransient && $0.declaration.derivation == nil }
            guard isOrdered == true else {
                throw ImportError(
                    .route, "the mapping of \(entity.name).\(name) takes the newest by \(newest), which is not stored",
                    hint: "name an attribute of \(entity.name)")
            }
        }
    }

    /// Whether records set a relationship: it has a rule, or its name is inferred and its objects can be made.
    private static func isMapped(_ relationship: RelationshipProperty, _ mapping: Mapping) -> Bool {
        guard !relationship.isTransient else { return false }
        if mapping.properties[relationship.name] != nil { return true }
        let destination = relationship.destination
        return mapping.infersNames && !destination.isAbstract && destination.uniquenessConstraints.count <= 1
    }

    private static func destination(
        _ relationship: RelationshipProperty, _ rule: PropertyRule
    ) throws -> Entity {
        let declared = relationship.destination
        let place = "\(relationship.entity.name).\(relationship.name)"
        guard let name = rule.entity else {
            guard !declared.isAbstract else {
                throw ImportError(
                    .route, "\(place) leads to \(declared.name), which is abstract",
                    hint: "name one of its subentities as the entity of its rule")
            }
            return declared
        }
        let possible = ([declared] + declared.descendants).filter { !$0.isAbstract }
        guard let entity = possible.first(where: { $0.name == name }) else {
            throw ImportError(
                .route, "\(place) cannot lead to \(name)", hint: "it leads to \(possible.map(\.name).shortList)")
        }
        return entity
    }
}
