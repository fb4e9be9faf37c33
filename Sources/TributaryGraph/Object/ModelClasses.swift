/// Which class the objects of an entity have, and how they are made.
package struct ModelClasses: Sendable {
    /// How the objects of an entity are made.
    final class Factory: Sendable {
        let type: ManagedObject.Type
        let propertyCount: Int
        /// What new objects start with.
        let defaults: [(slot: Int, value: ModelValue)]
        /// For each property in the order of initialisation its slot in the entity.
        nonisolated(unsafe) let slots: UnsafePointer<UInt16>  // written once, before anybody else has the factory

        init(_ type: ManagedObject.Type, _ slots: [UInt16], of entity: Entity) {
            self.type = type
            propertyCount = entity.properties.count
            defaults = entity.attributes.compactMap { attribute in
                attribute.declaration.defaultValue.map { (attribute.slot, $0.fitted(to: attribute.type)) }
            }
            let memory = UnsafeMutablePointer<UInt16>.allocate(capacity: max(1, slots.count))
            memory.initialize(from: slots, count: slots.count)
            self.slots = UnsafePointer(memory)
        }

        deinit { slots.deallocate() }

        /// Gives a row what new objects start with.
        func writeDefaults(_ row: Row) {
            for (slot, value) in defaults { value.write(row, slot) }
        }

        /// Makes an object.
        func make(_ seed: ObjectStorage) -> ManagedObject { Declaring.make(type, slots: slots, seed) }
    }

    /// By the index of the entity; an entity without a class has plain objects.
    private var factories: [Factory] = []

    /// The classes of `model`, each for the entity of its name.
    ///
    /// - Throws: `ModelError` with every class that does not fit.
    init(_ descriptions: [ClassDescription], of model: Model) throws {
        var byEntity: [Int: (ManagedObject.Type, [String])] = [:]
        var faults: [String] = []
        for description in descriptions {
            let name = description.entity.name
            guard let entity = model[name] else {
                faults.append("the class \(description.type) stands for \(name), which is no entity of the model")
                continue
            }
            let missing = description.namesInTurn.filter { entity[$0] == nil }
            faults += missing.map { "the class \(description.type) declares \($0), which \(name) does not have" }
            byEntity[entity.index] = (description.type, description.namesInTurn)
        }
        guard faults.isEmpty else { throw ModelError(faults) }
        factories = model.entities.map { entity in
            // The nearest class of the entities above does where an entity has none of its own.
            var above: Entity? = entity
            while let candidate = above {
                if let (type, names) = byEntity[candidate.index] {
                    return Factory(type, names.compactMap { entity[$0].map { UInt16($0.slot) } }, of: entity)
                }
                above = candidate.parent
            }
            return Factory(ManagedObject.self, [], of: entity)
        }
    }

    /// The classes of `model`, each for the entity of its name.
    ///
    /// - Throws: `ModelError` with every class that does not fit.
    package init(_ classes: [ManagedObject.Type], of model: Model) throws {
        try self.init(try ClassDescription.all(classes), of: model)
    }

    /// Whether objects of all entities have the same classes in both.
    func isSame(as other: ModelClasses) -> Bool {
        factories.map(\.type).elementsEqual(other.factories.map(\.type)) { $0 == $1 }
    }

    /// How objects of `entity` are made.
    func factory(_ entity: Entity) -> Factory { factories[entity.index] }
}
