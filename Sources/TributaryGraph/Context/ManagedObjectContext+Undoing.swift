/// Going back to what the store has.
extension ManagedObjectContext {
    /// Drops everything that was not saved: objects are as they were, new ones are gone, deleted ones are back.
    public func rollback() {
        check()
        demand(editLog == nil, "a setter does not roll back its context; throw an error to have its changes undone")
        let all = pendingChanges.removeAll()
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
            if state.contains(.gone) {
                // Somebody else has deleted its row: it does not come back.
                detach(object)
                pendingChanges.unreported.deleted.insert(object)
                continue
            }
            restore(object)
            pendingChanges.unreported.refreshed.insert(object)
        }
        if observers.changes.isEmpty { pendingChanges.unreported = ContextChanges() }
        processPendingChanges()
    }

    /// Gives an object the values it had when it was fetched or saved.
    private func restore(_ object: ManagedObject) {
        if let committed = object.committed {
            for property in object.entity.properties where !(property.relationship?.isToMany ?? false) {
                object.row.assign(committed, property.slot)
            }
            committed.deallocate()
            object.committed = nil
        }
        unloadMany(object)
        if !object.accessFlags.contains(.fault) { object.accessFlags = .notes }
    }

    /// Forgets the objects of relationships to many, and what has changed in them.
    func unloadMany(_ object: ManagedObject) {
        for relationship in object.entity.relationships where relationship.isToMany {
            if !relationship.isTransient { object.row.clear(relationship.slot) }
        }
    }

    /// Lets relationships to many be read anew, and keeps what has changed in them.
    func unloadStored(_ object: ManagedObject) {
        for relationship in object.entity.relationships where relationship.isToMany && !relationship.isTransient {
            guard let many = object.manyObjects(relationship.slot) else { continue }
            if many.hasChanges { many.unload() } else { object.row.clear(relationship.slot) }
        }
    }

    /// Calls `body`, which may read lists of an object anew, and leaves orders that are still to be written as they are.
    func keepingOrders(of object: ManagedObject, _ body: () throws -> Void) rethrows {
        var orders: [(slot: Int, many: ManyObjects)] = []
        for relationship in object.entity.relationships where relationship.isOrdered && !relationship.isTransient {
            guard let many = object.manyObjects(relationship.slot), many.hasChanges else { continue }
            orders.append((relationship.slot, many))
            object.row.set(many.copy(), relationship.slot)
        }
        defer { for (slot, many) in orders { object.row.set(many, slot) } }
        try body()
    }

    /// Forgets every object and every change; objects that somebody still holds are of no use any more.
    public func reset() {
        check()
        demand(editLog == nil, "a setter does not reset its context")
        for object in allObjects {
            if object.state.contains(.inserted) { temporaryKeys.discard(object) }
            detach(object)
        }
        pendingChanges.removeAll()
        temporaryKeys.reset()
        pendingChanges.unreported = ContextChanges()
        pendingChanges.unreported.isReset = true
        processPendingChanges()
    }

    /// Takes an object out of the context; its values are gone.
    func detach(_ object: ManagedObject) {
        if object.key > 0 { object.registry?.map.remove(object) }
        object.row.clear()
        object.committed?.deallocate()
        object.committed = nil
        object.state = .detached
        object.accessFlags = .fault
    }

    /// Takes an object out of the context that never had a row; its attributes can still be read.
    func discardInserted(_ object: ManagedObject) {
        temporaryKeys.discard(object)
        // One that has got its permanent id already can be found by it.
        if object.key > 0 { object.registry?.map.remove(object) } else { temporaryKeys.objects?[object.key] = nil }
        // What it leads to may lead back to it: they would keep one another.
        for relationship in object.entity.relationships { object.row.clear(relationship.slot) }
        object.state = .detached
        object.accessFlags = []
    }

    /// Nobody holds the context any more: objects that nobody holds either shall go, and with the last one the context.
    ///
    /// Objects that lead to one another would keep themselves, and changes would keep theirs.
    func abandon(droppingChanges: Bool) {
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
