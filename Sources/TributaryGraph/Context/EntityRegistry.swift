/// Where the objects of one entity live in one context.
///
/// Objects point here and nowhere else: to what they are, and to their context. The context lives as long as one of
/// them does; without objects nothing here keeps it.
final class EntityRegistry {
    let entity: Entity
    /// How objects of the entity are made.
    let factory: ModelClasses.Factory
    /// The objects that have a row, by its number; shared with the entities of the same table.
    let map: IdentityMap
    /// The store with the table of the entity; nil if none that is open has it.
    let storeIndex: Int?
    /// What is demanded of the objects.
    let validator: Validator
    /// What is computed at a save; nil if nothing is.
    let derived: DerivedAttributes?
    /// The slots of relationships to many.
    let manySlots: [Int]
    /// The memory of their values.
    private let stock: RowAllocator
    /// Whether a number may belong to an object of several entities.
    let hasSubentities: Bool
    /// How many faults are loaded at once, where a request has said it.
    var batchSize = 0
    private(set) unowned(unsafe) var context: ManagedObjectContext?
    private var anchor: ManagedObjectContext?
    @exclusivity(unchecked) private var living = 0

    init(_ entity: Entity, _ stores: StoreSet, map: IdentityMap) {
        self.entity = entity
        factory = stores.classes.factory(entity)
        validator = stores.validators[entity.index]
        derived = entity.derived.isEmpty ? nil : entity.derived
        self.map = map
        storeIndex = stores.storeIndex(of: entity)
        manySlots = entity.relationships.filter(\.isToMany).map(\.slot)
        hasSubentities = !entity.subentities.isEmpty
        stock = RowAllocator(factory.propertyCount)
    }

    /// Tells the registry its context, which has just been made.
    func attach(to context: ManagedObjectContext) { self.context = context }

    /// The context is gone; no object has kept it.
    func leave() { context = nil }

    /// An empty row for an object of the entity.
    func emptyRow() -> Row { stock.allocate() }

    /// A row with what a new object starts with.
    func newRow() -> Row {
        let row = emptyRow()
        factory.writeDefaults(row)
        return row
    }

    /// Makes an object of the entity, of a row of its own memory.
    func make(_ row: Row, key: Int64) -> ManagedObject {
        living += 1
        if living == 1 { anchor = context }
        return factory.make(ObjectStorage(row: row, registry: self, key: key))
    }

    /// An object is going.
    func forget(_ object: ManagedObject) {
        if !object.state.contains(.detached), object.key > 0 { map.remove(object) }
        living -= 1
        // The last object may be what has kept the context.
        if living == 0 { anchor = nil }
    }
}
