/// The classes of the objects of each entity, and factories for the objects.
package struct ModelClasses: Sendable {
    final class Factory: Sendable {
        let type: ManagedObject.Type
        let propertyCount: Int
        let defaults: [(slot: Int, value: ModelValue)]
        /// The slots of the properties in the order of initialisation.
        nonisolated(unsafe) let slots: UnsafePointer<UInt16>  // written only in `init`

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

        func make(_ storage: ObjectStorage) -> ManagedObject { Declaring.make(type, slots: slots, storage) }
    }

    /// The factories by the index of the entity; objects of an entity without a class are of `ManagedObject` itself.
    private var factories: [Factory] = []

    /// Assigns classes to the entities of `model` by name.
    package init(_ classes: [ManagedObject.Type], of model: Model) throws {
        var byEntity: [Int: (ManagedObject.Type, [String])] = [:]
        var faults: [String] = []
        for description in try ClassDescription.all(classes) {
            let name = description.entity.name
            guard let entity = model[name] else {
                faults.append("the class \(description.type) names the entity \(name), which the model does not have")
                continue
            }
            let missing = description.namesInInitOrder.filter { entity[$0] == nil }
            faults += missing.map { "the class \(description.type) declares \($0), which \(name) does not have" }
            byEntity[entity.index] = (description.type, description.namesInInitOrder)
        }
        guard faults.isEmpty else { throw ModelError(faults) }
        factories = model.entities.map { entity in
            // An entity without a class uses the class of its nearest superentity.
            for candidate in sequence(first: entity, next: \.parent) {
                if let (type, names) = byEntity[candidate.index] {
                    return Factory(type, names.compactMap { entity[$0].map { UInt16($0.slot) } }, of: entity)
                }
            }
            return Factory(ManagedObject.self, [], of: entity)
        }
    }

    func isSame(as other: ModelClasses) -> Bool {
        factories.map(\.type).elementsEqual(other.factories.map(\.type)) { $0 == $1 }
    }

    func factory(_ entity: Entity) -> Factory { factories[entity.index] }
}
