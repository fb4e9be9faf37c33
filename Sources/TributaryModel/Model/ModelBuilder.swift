/// Creates the entities of a checked model.
struct ModelBuilder {
    let check: ModelCheck
    unowned let model: Model

    /// The entities, in the order of the model.
    package func entities() -> [Entity] {
        let slots = assignSlots()
        var made: [Int: Entity] = [:]
        for index in check.parentsFirst {
            made[index] = entity(at: index, parent: check.parents[index].flatMap { made[$0] }, slots: slots)
        }
        return check.model.entities.indices.compactMap { made[$0] }
    }

    /// The slots of each entity by property name, starting with the slots of the parent.
    private func assignSlots() -> [[String: Int]] {
        var slots = [[String: Int]](repeating: [:], count: check.model.entities.count)
        for index in check.parentsFirst {
            var known = check.parents[index].map { slots[$0] } ?? [:]
            let entity = check.model.entities[index]
            for name in entity.attributes.map(\.name) + entity.relationships.map(\.name) { known[name] = known.count }
            slots[index] = known
        }
        return slots
    }

    private func entity(at index: Int, parent: Entity?, slots: [[String: Int]]) -> Entity {
        let entity = check.model.entities[index]
        var own: [Property] = []
        var next: Int { (parent?.properties.count ?? 0) + own.count }
        for attribute in entity.attributes {
            own.append(.attribute(AttributeProperty(attribute, slot: next, entityIndex: index, model: model)))
        }
        for relationship in entity.relationships {
            // The check ensures that the destination exists.
            let destination = check.entityIndexes[relationship.destination] ?? index
            let resolved = RelationshipProperty(
                relationship, slot: next, entityIndex: index, destinationIndex: destination,
                inverseSlot: relationship.inverse.flatMap { slots[destination][$0] }, model: model)
            own.append(.relationship(resolved))
        }
        return Entity(
            entity, index: index, parent: parent, children: check.children[index], own: own, slots: slots[index],
            model: model)
    }
}
