/// Reading objects in memory again.
extension ManagedObjectContext {
    /// Discards the values of an object, so that they are read again; with `mergeChanges` its own changes are kept.
    ///
    /// Without it the object's own changes are undone, on both sides of its relationships. Changes of other objects
    /// stay: a new book of an author is a change of the book. An object that was never saved keeps its values, and an
    /// object that is marked as deleted stays marked.
    ///
    /// - Throws: `StoreError` or `SQLiteError` if the store cannot be read.
    public func refresh(_ object: ManagedObject, mergeChanges: Bool) throws {
        check()
        guard object.owner === self, object.state.isDisjoint(with: [.inserted, .deleted]) else { return }
        if !mergeChanges, object.hasChanges {
            try withoutRegistration { try throwingReadFailures { try undoChanges(of: object) } }
        }
        if object.hasChanges {
            for relationship in object.entity.relationships where relationship.isToMany {
                object.manyObjects(relationship.slot)?.unload()
            }
            if !object.accessFlags.contains(.fault) { try loadRows(object.entity.root, [object.key], refreshing: true) }
        } else {
            turnIntoFault(object)
        }
        if !observers.changes.isEmpty { pendingChanges.unreported.refreshed.insert(object) }
    }

    /// Reads all objects again on their next access; changed objects keep their changes.
    ///
    /// - Throws: `StoreError` or `SQLiteError` if the store cannot be read.
    public func refreshAllObjects() throws {
        check()
        for object in allObjects { try refresh(object, mergeChanges: true) }
    }

    /// Discards the values of an object without changes.
    func turnIntoFault(_ object: ManagedObject) {
        guard !object.accessFlags.contains(.fault) else { return unloadMany(object) }
        object.willTurnIntoFault()
        object.discardValues()
    }

    /// Undoes the object's own changes; if no changes are left, it is no longer marked as updated.
    private func undoChanges(of object: ManagedObject) throws {
        for property in object.entity.properties {
            let slot = property.slot
            guard let relationship = property.relationship else {
                if let committed = object.committed { object.row.assign(committed, slot) }
                continue
            }
            if relationship.isToMany {
                undoLinks(of: object, relationship)
            } else if let committed = object.committed, !object.row.isEqual(committed, slot) {
                guard relationship.inverse != nil else {
                    object.row.assign(committed, slot)
                    continue
                }
                let old = try stored(committed, slot, registry(relationship.destination))
                // A reference to an object that is deleted in this context stays removed.
                if old?.state.contains(.deleted) ?? false { continue }
                object.setOne(slot, old)
                object.row.assign(committed, slot)
            }
        }
        if !object.hasPersistentChangedValues { object.state.remove(.updated) }
    }

    private func undoLinks(of object: ManagedObject, _ relationship: RelationshipProperty) {
        let slot = relationship.slot
        guard let many = object.manyObjects(slot), many.hasChanges else { return }
        guard let inverse = relationship.inverse else { return object.row.clear(slot) }
        // The inverse is a column of the destination, so the change belongs to the destination.
        if !inverse.isToMany { return }
        for other in many.added.objects { object.removeFromMany(slot, other) }
        for other in many.removed.objects where !other.state.contains(.deleted) { object.addToMany(slot, other) }
        if many.added.isEmpty, many.removed.isEmpty { object.row.clear(slot) }
    }

    /// The object that a row of the store refers to; nil if there is none, or it was deleted.
    private func stored(_ row: Row, _ slot: Int, _ registry: EntityRegistry) throws -> ManagedObject? {
        let other =
            row.kind(slot) == .integer
            ? try find(registry, row.integer(slot)) ?? loadRows(registry.entity, [row.integer(slot)]).first
            : row.object(slot)
        return other.flatMap { $0.state.isDisjoint(with: [.detached, .rowDeleted]) ? $0 : nil }
    }
}
