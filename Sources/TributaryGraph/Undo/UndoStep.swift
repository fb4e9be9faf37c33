/// One change of an object, with what is needed to undo it and to redo it.
enum UndoStep {
    /// The object was inserted.
    case inserted(ObjectContents)
    /// The object was deleted.
    case deleted(ObjectContents)
    /// Attributes or to-one relationships have changed; undoing and redoing exchange the contents with the values.
    case values(ObjectContents)
    case added(ManagedObject, slot: Int, ManagedObject)
    /// The position is nil if the relationship is not ordered.
    case removed(ManagedObject, slot: Int, ManagedObject, position: Int?)
    case arranged(ManagedObject, slot: Int, from: [ManagedObject], to: [ManagedObject])

    var object: ManagedObject {
        switch self {
        case .inserted(let contents), .deleted(let contents), .values(let contents): contents.object
        case .added(let object, _, _), .removed(let object, _, _, _), .arranged(let object, _, _, _): object
        }
    }
}
