/// A copy of the values of an object, and of all its destinations if it is deleted, as they are on the other side of
/// an undo or redo.
final class ObjectContents {
    let object: ManagedObject
    /// The attributes and to-one relationships; nil until they are copied.
    private var values: OwnedRow?
    /// The slots of values that have changed, which undoing and redoing exchange.
    private var changedSlots: [Int] = []
    /// The destinations of to-many relationships, by slot.
    private var destinations: [Int: [ManagedObject]] = [:]

    init(_ object: ManagedObject) { self.object = object }

    var isKnown: Bool { values != nil }

    func copyValues() {
        let copy = Row.allocate(object.row.count)
        for slot in object.valueSlots { copy.assign(object.row, slot) }
        values = OwnedRow(copy)
    }

    func copyAll() {
        copyValues()
        destinations = [:]
        for relationship in object.entity.relationships where relationship.isToMany {
            // Includes destinations that are deleted, whose deletion may be undone as well.
            let all = object.loadedMany(relationship.slot)?.all.objects ?? []
            if !all.isEmpty { destinations[relationship.slot] = all }
        }
    }

    /// Forgets the contents of an object that another context has deleted.
    func forget() { (values, destinations) = (nil, [:]) }

    /// Finds the values that have changed since they were copied; others may be changed by other contexts.
    func findChanges() {
        guard let values else { return }
        // A deleted object gets the values back that it had at its deletion, not the current ones.
        let isKnown = object.state.isDisjoint(with: [.deleted, .detached]) && !object.accessFlags.contains(.fault)
        changedSlots = object.valueSlots.filter { !isKnown || !object.row.isEqual(values.row, $0) }
    }

    /// Exchanges the changed attributes and to-one relationships with those of the object.
    func exchangeValues() {
        guard let old = values else { return }
        copyValues()
        for slot in changedSlots { object.row.assign(old.row, slot) }
    }

    /// Gives the object, which has left its context, everything again.
    func restoreAll() {
        guard let values else { return }
        object.assignValues(values.row)
        for (slot, objects) in destinations {
            let many = ManyObjects(isLoaded: true, of: object.relationship(slot))
            for other in objects { many.append(other) }
            object.row.set(many, slot)
        }
    }
}
