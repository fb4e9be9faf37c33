/// The changes from an earlier to a later model as sentences, and those that a migration cannot infer.
package struct ModelChanges: Sendable {
    /// The changes, in the order of the later model; what is removed comes last.
    package private(set) var changes: [MigrationChange] = []
    /// What cannot be inferred, each with what to do.
    package private(set) var refusals: [String] = []
    private let match: ModelMatch
    private let read: [String: Set<String>]

    /// Compares two models; `read` has the attributes that custom steps read, by entity of the earlier model.
    package init(_ match: ModelMatch, read: [String: Set<String>] = [:]) {
        self.match = match
        self.read = read
        for entity in match.destination.entities { compare(entity) }
        for entity in match.source.entities { findRemoved(entity) }
    }

    private mutating func add(_ text: String, dropsValues: Bool = false) {
        changes.append(MigrationChange(text, dropsValues: dropsValues))
    }

    // MARK: Entities

    private mutating func compare(_ entity: Entity) {
        guard let earlier = match.source(of: entity) else {
            add("adds the entity \(entity.name)")
            return
        }
        if earlier.name != entity.name { add("renames the entity \(earlier.name) to \(entity.name)") }
        compareParents(entity, earlier)
        if entity.isAbstract, !earlier.isAbstract {
            add("makes \(entity.name) abstract, which is possible only without objects of its own")
        } else if earlier.isAbstract, !entity.isAbstract {
            add("makes \(entity.name) an entity with objects of its own")
        }
        for property in entity.properties where property.entity == entity { compare(property, of: entity) }
        compareConstraints(entity, earlier)
    }

    private mutating func compareParents(_ entity: Entity, _ earlier: Entity) {
        // The removal of a parent is reported as that change.
        let known = earlier.parent.flatMap(match.destination(of:))
        guard known != entity.parent else { return }
        if let parent = entity.parent {
            add(
                known == nil
                    ? "makes \(parent.name) the parent of \(entity.name)" : "moves \(entity.name) below \(parent.name)")
        } else if let known {
            add("removes the parent \(known.name) of \(entity.name)")
        }
    }

    private mutating func compareConstraints(_ entity: Entity, _ earlier: Entity) {
        func names(_ constraint: UniquenessConstraint, _ rename: (Property) -> String?) -> Set<String>? {
            let names = constraint.properties.compactMap(rename)
            return names.count == constraint.properties.count ? Set(names) : nil
        }
        let known = Set(
            earlier.uniquenessConstraints.compactMap { constraint in
                names(constraint) { match.destinations(of: $0, in: entity).first?.name }
            })
        for constraint in entity.uniquenessConstraints where constraint.entityName == entity.name {
            let list = constraint.properties.map(\.name)
            if known.contains(Set(list)) { continue }
            add(
                "makes \(list.joined(separator: ", ")) unique in \(entity.name), which is possible only without repeats"
            )
        }
        let later = Set(entity.uniquenessConstraints.map { Set($0.properties.map(\.name)) })
        for constraint in earlier.uniquenessConstraints where constraint.entityName == earlier.name {
            let list = names(constraint) { match.destinations(of: $0, in: entity).first?.name }
            if let list, later.contains(list) { continue }
            let text = constraint.properties.map(\.name).joined(separator: ", ")
            add("removes the uniqueness constraint on \(text) of \(entity.name)")
        }
    }

    // MARK: Properties

    /// The earlier properties of a later one, among the entities that inherit it and existed before.
    private func sources(of property: Property, in entity: Entity) -> (exists: Bool, found: [Property]) {
        var (exists, found): (Bool, [Property]) = (false, [])
        for one in [entity] + entity.descendants where match.source(of: one) != nil {
            exists = true
            if let earlier = match.source(of: property, in: one), !found.contains(earlier) { found.append(earlier) }
        }
        return (exists, found)
    }

    private mutating func compare(_ property: Property, of entity: Entity) {
        let (exists, earlier) = sources(of: property, in: entity)
        guard exists else { return }
        let name = "\(entity.name).\(property.name)"
        let kind = property.attribute == nil ? "relationship" : "attribute"
        for one in earlier {
            let place = match.destination(of: one.entity)
            if place != entity, place != nil {
                add("moves the \(kind) \(one.name) from \(one.entity.name) to \(name)")
            } else if one.name != property.name {
                add("renames the \(kind) \(one.entity.name).\(one.name) to \(name)")
            }
        }
        let stored = earlier.filter(isStored)
        guard isStored(property) else {
            if !stored.isEmpty { add("no longer stores the \(kind) \(name)", dropsValues: true) }
            return
        }
        switch property {
        case .attribute(let attribute):
            compare(attribute, stored.compactMap(\.attribute), isNew: earlier.isEmpty, name)
        case .relationship(let relationship):
            if stored.isEmpty { add("adds the relationship \(name)") }
            for one in stored.compactMap(\.relationship) { compare(relationship, with: one, name) }
        }
    }

    private mutating func compare(
        _ attribute: AttributeProperty, _ stored: [AttributeProperty], isNew: Bool, _ name: String
    ) {
        let isRequired = !attribute.isOptional && attribute.declaration.derivation == nil
        let rest =
            if attribute.declaration.defaultValue != nil {
                isRequired || isNew ? ", with its default for objects without one" : ""
            } else {
                isRequired ? ", which is possible only if all objects have one" : ""
            }
        guard !stored.isEmpty else {
            add("adds the attribute \(name)" + rest)
            return
        }
        for one in stored {
            if one.type != attribute.type, !attribute.declaration.holdsAllValues(of: one.declaration) {
                refusals.append(
                    "\(name) changes its type from \(one.type) to \(attribute.type): compute its values in a custom step"
                )
            } else if one.type != attribute.type {
                add("changes the type of \(name) from \(one.type) to \(attribute.type)")
            }
        }
        if isRequired, stored.contains(where: \.isOptional) {
            add("makes \(name) required" + rest)
        } else if attribute.isOptional, stored.contains(where: { !$0.isOptional }) {
            add("makes \(name) optional")
        }
    }

    private mutating func compare(
        _ relationship: RelationshipProperty, with one: RelationshipProperty, _ name: String
    ) {
        let destination = match.destination(of: one.destination)
        let isWidened = destination.map { $0.isKind(of: relationship.destination) } ?? false
        if !isWidened, match.source(of: relationship.destination) != nil || destination != nil {
            refusals.append(
                "\(name) changes its destination from \(one.destination.name) to \(relationship.destination.name): "
                    + "give it another name, and link the objects in a custom step")
            return
        }
        if one.isToMany, !relationship.isToMany {
            refusals.append(
                "\(name) becomes to-one: give it another name, and choose the object to keep in a custom step")
            return
        }
        if !one.isToMany, relationship.isToMany { add("makes \(name) to-many") }
        if one.isToMany, one.isOrdered != relationship.isOrdered {
            add("makes \(name) \(relationship.isOrdered ? "ordered" : "unordered")")
        }
        let inverse = relationship.inverse.flatMap(match.source(of:))
        if one.inverse != nil, relationship.inverse == nil { add("removes the inverse of \(name)") }
        if let new = relationship.inverse, one.inverse == nil || one.inverse != inverse {
            add("makes \(new.entity.name).\(new.name) the inverse of \(name)")
        }
        if !relationship.isOptional, one.isOptional {
            add("makes \(name) required, from the next save of an object on")
        }
        if relationship.isOptional, !one.isOptional { add("makes \(name) optional") }
        let (new, old) = (relationship.declaration, one.declaration)
        if new.minimumCount != old.minimumCount || new.maximumCount != old.maximumCount {
            add("changes how many objects \(name) has, from the next save of an object on")
        }
    }

    // MARK: What is removed

    private mutating func findRemoved(_ entity: Entity) {
        guard match.destination(of: entity) != nil else {
            add("removes the entity \(entity.name)", dropsValues: !entity.isAbstract)
            return
        }
        for property in entity.properties where property.entity == entity && isStored(property) {
            // Abstract entities have no objects of their own.
            let all = ([entity] + entity.descendants).filter { match.destination(of: $0) != nil && !$0.isAbstract }
            let unused = all.filter { one in
                match.destination(of: one).map { match.destinations(of: property, in: $0).isEmpty } ?? false
            }
            guard !unused.isEmpty else { continue }
            let isAll = unused.count == all.count
            let kind = property.attribute == nil ? "relationship" : "attribute"
            let place = isAll ? entity.name : unused.map(\.name).joined(separator: ", ")
            let isRead = unused.allSatisfy { read[$0.name]?.contains(property.name) ?? false }
            let isKept = property.relationship.map { survives($0) } ?? isRead
            add("removes the \(kind) \(property.name) of \(place)", dropsValues: !isKept)
        }
    }

    private func isStored(_ property: Property) -> Bool {
        switch property {
        case .attribute(let attribute): !attribute.isTransient
        case .relationship(let relationship): !relationship.isTransient
        }
    }

    /// Whether the links of a removed relationship remain in its inverse.
    private func survives(_ relationship: RelationshipProperty) -> Bool {
        guard let inverse = relationship.inverse, let entity = match.destination(of: inverse.entity) else {
            return false
        }
        return !match.destinations(of: .relationship(inverse), in: entity).isEmpty
    }
}

extension AttributeDescription {
    /// Whether a column of this attribute holds all values of an attribute of another type unchanged.
    package func holdsAllValues(of other: AttributeDescription) -> Bool {
        switch (other.type.kind, type.kind) {
        case (let one, let another) where one == another: true
        case (.integer16, .integer32), (.integer16, .integer64), (.integer32, .integer64), (.float, .double): true
        case (.undefined, .integer16), (.undefined, .integer32), (.undefined, .integer64):
            other.valueKinds.isSubset(of: [.integer, .largeInteger])
        case (.undefined, .double): other.valueKinds.isSubset(of: [.integer, .real])
        case (.undefined, .string), (.undefined, .json): other.valueKinds.isSubset(of: .text) && type.kind == .string
        default: false
        }
    }
}
