/// Receiving the undone changes of a child.
extension ManagedObjectContext {
    /// Removes the mark of an object that a child has deleted, saved and inserted again by an undo; returns the object.
    func undeleted(_ object: ManagedObject, by push: Push) -> ManagedObject {
        guard push.image.isInserted, !push.isDeleted, object.state.contains(.deleted), isStored(object),
            !object.state.contains(.rowDeleted)
        else { return object }
        undoLog?.logInsertion(of: object)
        object.state.subtract([.deleted, .propagated])
        willModify(object)
        // The child saves all destinations, and the inverses were removed when the deletion was propagated.
        for relationship in object.entity.relationships
        where relationship.inverse != nil && [.nullify, .cascade].contains(relationship.deleteRule) {
            for other in object.destinations(relationship) { object.removeInverse(other, at: relationship.slot) }
        }
        return object
    }
}
