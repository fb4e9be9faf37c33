/// Rolling back, resetting and detaching objects.
extension ManagedObjectContext {
    /// Discards all unsaved changes: changed objects get their old values, new ones are removed, deleted ones restored.
    ///
    /// Nothing can be undone or redone afterwards.
    public func rollback() {
        check()
        demand(editLog == nil, "a setter does not roll back its context; throw an error to have its changes undone")
        undoManager?.forgetAll()
        let all = pendingChanges.removeAll()
        seenMarks.rollBack()
        temporaryKeys.objects = temporaryKeys.objects.map { $0.filter { !$0.value.state.contains(.inserted) } }
        for object in all {
            let state = object.state
            object.state = state.contains(.detached) ? .detached : []
            guard !state.contains(.detached) else { continue }
            if state.contains(.inserted) {
                discardInserted(object)
                pendingChanges.unreported.deleted.insert(object)
                continue
            }
            guard !state.isDisjoint(with: .anyChange) else { continue }
            if state.contains(.rowDeleted) {
                // Another context or process deleted its row, so it cannot be restored.
                detach(object)
                pendingChanges.unreported.deleted.insert(object)
                continue
            }
            restore(object)
            if state.contains(.outdated) { turnIntoFault(object) }
            pendingChanges.unreported.refreshed.insert(object)
        }
        if observers.changes.isEmpty { pendingChanges.unreported = ContextChanges() }
        processPendingChanges()
    }

    /// Gives an object the values that it had when it was fetched or saved.
    private func restore(_ object: ManagedObject) {
        if let committed = object.committed {
            object.assignValues(committed)
            object.forgetCommitted()
        }
        unloadMany(object)
        if !object.accessFlags.contains(.fault) { object.accessFlags = .reportsChange }
    }

    /// Discards the destinations of to-many relationships, and the changes of these relationships.
    func unloadMany(_ object: ManagedObject) {
        for relationship in object.entity.relationships where relationship.isToMany {
            if !relationship.isTransient { object.row.clear(relationship.slot) }
        }
    }

    /// Discards the stored destinations of to-many relationships, and keeps the changes of these relationships.
    func unloadStored(_ object: ManagedObject) {
        for relationship in object.entity.relationships where relationship.isToMany && !relationship.isTransient {
            guard let many = object.manyObjects(relationship.slot) else { continue }
            if many.hasChanges { many.unload() } else { object.row.clear(relationship.slot) }
        }
    }

    /// Discards all objects and all changes; objects that are still referenced become unusable.
    public func reset() {
        check()
        demand(editLog == nil, "a setter does not reset its context")
        undoManager?.forgetAll()
        for object in allObjects {
            if object.state.contains(.inserted) { temporaryKeys.discard(object) }
            detach(object)
        }
        pendingChanges.removeAll()
        seenMarks.rollBack()
        temporaryKeys.reset()
        pendingChanges.unreported = ContextChanges()
        pendingChanges.unreported.isReset = true
        processPendingChanges()
    }

    /// Removes an object from the context, and discards its values.
    func detach(_ object: ManagedObject) {
        if object.key > 0 { object.registry?.map.remove(object) }
        object.discardValues()
        object.state = .detached
        removalCount += 1
    }

    /// Removes an object that never had a row from the context; its attributes can still be read.
    func discardInserted(_ object: ManagedObject) {
        temporaryKeys.discard(object)
        // An object with a permanent ID is in the identity map.
        if object.key > 0 { object.registry?.map.remove(object) } else { temporaryKeys.objects?[object.key] = nil }
        // Objects that refer to each other would retain each other.
        for relationship in object.entity.relationships { object.row.clear(relationship.slot) }
        object.state = .detached
        object.accessFlags = []
        removalCount += 1
    }

    /// Breaks the reference cycles of a context that is no longer in use, so that it and its objects are released.
    ///
    /// Objects that refer to each other would retain each other, and pending changes and actions to be undone would
    /// retain their objects.
    func abandon(droppingChanges: Bool) {
        undoManager = nil
        if droppingChanges {
            rollback()
            temporaryKeys.objects = nil
            isAbandoned = true
        }
        for object in allObjects where !object.hasChanges && !object.accessFlags.contains(.fault) {
            for relationship in object.entity.relationships {
                let slot = relationship.slot
                if relationship.isToMany {
                    object.row.clear(slot)
                } else if object.row.kind(slot) == .boxed, let key = object.one(slot)?.key, key > 0 {
                    object.row.set(key, slot)
                }
            }
        }
    }
}
