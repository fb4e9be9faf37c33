/// Objects that an undo or redo has brought back, here or in a child.
extension ManagedObjectContext {
    /// Marks references to `objects`, which have no rows, as changed: if their owners were saved while the objects were
    /// deleted, the references were stored as null.
    func markReferences(to objects: [ManagedObject]) {
        guard !objects.isEmpty else { return }
        let ids = Set(objects.map(ObjectIdentifier.init))
        for entity in model.entities where !entity.isAbstract {
            let dangling = entity.relationships.filter { relationship in
                let mayDangle = relationship.inverse.map { $0.deleteRule == .noAction } ?? true
                return mayDangle && objects.contains { $0.entity.isKind(of: relationship.destination) }
            }
            guard !dangling.isEmpty else { continue }
            for owner in allObjects
            where owner.entity === entity && owner.state.isDisjoint(with: [.inserted, .detached]) {
                for relationship in dangling { markReference(of: owner, relationship, to: ids) }
            }
        }
    }

    private func markReference(
        of owner: ManagedObject, _ relationship: RelationshipProperty, to ids: Set<ObjectIdentifier>
    ) {
        let slot = relationship.slot
        guard owner.row.kind(slot) == .boxed, !owner.accessFlags.contains(.fault) else { return }
        if let many = relationship.isToMany ? owner.manyObjects(slot) : nil {
            for other in many.all.objects where ids.contains(ObjectIdentifier(other)) {
                willModifyReferences(owner)
                many.markAsAdded(other)
            }
        } else if ids.contains(ObjectIdentifier(owner.row.boxed(slot))) {
            willModify(owner)
            if let committed = owner.committed, committed.isEqual(owner.row, slot) { committed.clear(slot) }
        }
    }

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
