/// The objects of one entity in one context.
///
/// Objects reach their entity and their context through this reference alone. The registry retains the context as long
/// as one of its objects exists.
final class EntityRegistry {
    let entity: Entity
    let factory: ModelClasses.Factory
    /// The objects that have a row, by its key; shared with the entities of the same table.
    let map: IdentityMap
    /// The index of the store with the table of the entity; nil if no open store has it.
    let storeIndex: Int?
    let validator: Validator
    /// The attributes that a save computes; nil if there are none.
    let derived: DerivedAttributes?
    let manySlots: [Int]
    /// The slots of attributes and to-one relationships.
    let valueSlots: [Int]
    private let allocator: RowAllocator
    /// Whether a key may belong to an object of a subentity.
    let hasSubentities: Bool
    /// How many faults are loaded at once; 0 if no request has set it.
    var batchSize = 0
    /// The context; set when it is initialized, and cleared when it is released.
    unowned(unsafe) var context: ManagedObjectContext?
    // Objects are made and released in one thread at a time, a million of them in a load.

    @exclusivity(unchecked) private var retainedContext: ManagedObjectContext?
    @exclusivity(unchecked) private var objectCount = 0

    init(_ entity: Entity, _ stores: ObjectStores, map: IdentityMap) {
        self.entity = entity
        factory = stores.classes.factory(entity)
        validator = stores.validators[entity.index]
        derived = entity.derived.isEmpty ? nil : entity.derived
        self.map = map
        storeIndex = stores.storeIndex(of: entity)
        let manySlots = entity.relationships.filter(\.isToMany).map(\.slot)
        self.manySlots = manySlots
        valueSlots = entity.properties.map(\.slot).filter { !manySlots.contains($0) }
        hasSubentities = !entity.subentities.isEmpty
        allocator = RowAllocator(factory.propertyCount)
    }

    func emptyRow() -> Row { allocator.allocate() }

    func newRow() -> Row {
        let row = emptyRow()
        for (slot, value) in factory.defaults { value.write(row, slot) }
        return row
    }

    func make(_ row: Row, key: Int64) -> ManagedObject {
        objectCount += 1
        if objectCount == 1 { retainedContext = context }
        return factory.make(ObjectStorage(row: row, registry: self, key: key))
    }

    func objectWillDeinit(_ object: ManagedObject) {
        if !object.state.contains(.detached), object.key > 0 { map.remove(object) }
        objectCount -= 1
        if objectCount == 0 { retainedContext = nil }
    }
}

extension EntityRegistry: CustomReflectable {
    /// Without children: `dump` of an object would list the whole context.
    var customMirror: Mirror { Mirror(self, children: []) }
}
