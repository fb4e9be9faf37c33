/// An object as another context sees it: its values, and the numbers of those it leads to.
struct ObjectImage {
    let entity: Entity
    let key: Int64
    let version: Int64
    let isInserted: Bool
    /// Whether it leads to an object that has no row yet.
    private(set) var leadsToNew = false
    /// The values, numbers for relationships to one, nothing for those to many; whoever takes the image owns it.
    let row: Row

    /// The image of an object, whose values are loaded for it.
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
            let end: Int64? =
                switch object.row.kind(slot) {
                case .integer: object.row.integer(slot)
                // What leads to an object that is gone leads nowhere.
                case .boxed: object.one(slot)?.key
                default: nil
                }
            guard let end else { continue }
            row.set(end, slot)
            if end < 0 { leadsToNew = true }
        }
    }
}
