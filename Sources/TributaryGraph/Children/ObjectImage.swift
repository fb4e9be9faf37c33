/// A copy of an object for another context: its values, and the keys of its to-one destinations.
struct ObjectImage {
    let entity: Entity
    let key: Int64
    let version: Int64
    let isInserted: Bool
    /// Whether a reference is to an object that has no row yet.
    private(set) var refersToNew = false
    /// The values, with keys for to-one and null for to-many relationships; the receiver of the image owns the row.
    let row: Row

    /// Makes the image of an object, and loads its values first.
    init(_ object: ManagedObject) {
        if object.accessFlags.contains(.fault) { object.fire() }
        entity = object.entity
        key = object.key
        version = object.version
        isInserted = object.state.contains(.inserted)
        row = Row.allocate(object.row.count)
        for property in object.entity.properties {
            let slot = property.slot
            guard let relationship = property.relationship else {
                row.assign(object.row, slot)
                continue
            }
            if relationship.isToMany { continue }
            let destinationKey: Int64? =
                switch object.row.kind(slot) {
                case .integer: object.row.integer(slot)
                // A reference to a deleted object reads as nil.
                case .boxed: object.one(slot)?.key
                default: nil
                }
            guard let destinationKey else { continue }
            row.set(destinationKey, slot)
            if destinationKey < 0 { refersToNew = true }
        }
    }
}
