import TributaryGraph
import TributaryImport

/// Makes the objects of seeds in a context.
final class SeedObjects: SeedGround {
    private let context: ManagedObjectContext
    /// The objects that are not saved yet.
    private var unsaved: [ManagedObject] = []

    init(_ context: ManagedObjectContext) { self.context = context }

    var model: Model { context.model }
    var numbers: UniqueIDGenerator { context.uniqueIDs }

    func insert(_ entity: Entity) throws -> ManagedObject {
        let object = try context.insert(entity: entity.name)
        unsaved.append(object)
        return object
    }

    func entity(of object: ManagedObject) -> Entity { object.entity }
    func object(with id: ObjectID) -> ManagedObject { context.object(with: id) }

    func set(_ attribute: AttributeProperty, of object: ManagedObject, to value: FilterValue) throws {
        try object.setValue(value, forKey: attribute.name)
    }

    func set(_ relationship: RelationshipProperty, of object: ManagedObject, to other: ManagedObject?) {
        object.setObject(other, forKey: relationship.name)
    }

    func add(_ others: [ManagedObject], to relationship: RelationshipProperty, of object: ManagedObject) {
        // An object inside may have added others by the inverse already.
        var all = object.objects(forKey: relationship.name)
        var known = Set(all.map { ObjectIdentifier($0) })
        for other in others where known.insert(ObjectIdentifier(other)).inserted { all.append(other) }
        object.setObjects(all, forKey: relationship.name)
    }

    func greatest(_ attribute: AttributeProperty, below end: Int64) throws -> Int64? {
        var request = FetchRequest<ManagedObject>(
            entity: attribute.entity.name, where: Filter("\(key: attribute.name) < \(end)"),
            sort: [SortKey(attribute.name, ascending: false)])
        request.limit = 1
        guard case .integer(let number)? = try context.first(request)?[attribute.name] as FilterValue? else {
            return nil
        }
        return number
    }

    func contains(_ text: String, in attribute: AttributeProperty) throws -> Bool {
        try context.count(
            FetchRequest<ManagedObject>(
                entity: attribute.entity.name, where: Filter("\(key: attribute.name) == \(text)"))) > 0
    }

    func save(naming objects: [ManagedObject]) throws -> [ObjectID] {
        try context.save()
        let ids = objects.map(\.objectID)
        unsaved = []
        context.reset()
        return ids
    }

    /// Deletes the objects that are not saved.
    func discard() {
        for object in unsaved { object.delete() }
        // New objects leave the context with this.
        context.processPendingChanges()
    }
}
