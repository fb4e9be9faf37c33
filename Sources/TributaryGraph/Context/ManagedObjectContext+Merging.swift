/// Hearing of what other contexts have saved.
extension ManagedObjectContext {
    /// Something that must hear of objects of an entity that pass a filter, whether they are in memory or not.
    struct Interest {
        let entity: Entity
        let filter: Filter?
    }

    /// How many objects are merged before others get their turn on the queue.
    static let mergeSlice = 500

    /// Notifies the other contexts of these stores of a save.
    func notifyOthers(of saved: SavedChanges) {
        if !saveBuffer.add(saved) { saved.tell(besides: self) }
    }

    /// Buffers the notifications of saves from now on: they are part of a larger transaction.
    package func bufferSaves() { saveBuffer.begin(stores) }

    /// What was saved since the last call, to be announced when the transaction is committed.
    package func takeBufferedSaves() -> SavedChanges? { saveBuffer.take() }

    /// Takes over what another context has saved: objects in memory get the values of the store, with their own changes
    /// on top; deleted ones are marked as deleted.
    ///
    /// What is not in memory is fetched only where an observer's filter may match it.
    public func merge(_ saved: SavedChanges) {
        check()
        guard saved.stores === stores else { return }
        for group in saved.deletedKeys { mergeDeletions(group) }
        for group in saved.updatedKeys { mergeUpdates(group) }
        for group in saved.insertedKeys { bringIn(group, isNew: true) }
        for group in saved.deletedKeys { unlinkDeleted(group) }
        processPendingChanges()
    }

    /// Merges saves that are too many to be kept: every object in memory is compared with the store.
    func reload() {
        check()
        let stored = allObjects.filter { $0.key > 0 && !$0.state.contains(.inserted) && !$0.state.contains(.gone) }
        var saved = SavedChanges(stores)
        saved.updatedKeys = SavedChanges.keys(stored)
        saved.deletedKeys = saved.updatedKeys.map { group in
            var gone = Set(group.keys)
            for slice in group.keys.slices(of: Self.mergeSlice) {
                // A store that cannot be read now leaves the objects as they are; the next read throws.
                guard let objects = try? loadRows(group.entity, Array(slice)) else {
                    return .init(entity: group.entity)
                }
                gone.subtract(objects.map(\.key))
            }
            return .init(entity: group.entity, keys: gone.sorted())
        }
        pendingChanges.unreported.isReload = true
        merge(saved)
    }

    private func mergeDeletions(_ group: SavedChanges.Keys) {
        for key in group.keys {
            guard let object = registry(group.entity).map.find(key) else { continue }
            object.state.insert(.gone)
            if object.state.contains(.deleted) { continue }
            // Those around have been saved without it: its rules for deletion have had their way.
            object.state.insert([.deleted, .propagated])
            enqueue(object)
            markChanged(object)
        }
    }

    /// Lets nothing lead any more to objects that others have deleted, if it has been changed here to do so.
    private func unlinkDeleted(_ group: SavedChanges.Keys) {
        for key in group.keys {
            guard let object = registry(group.entity).map.find(key) else { continue }
            for relationship in object.entity.relationships {
                guard let inverse = relationship.inverse, object.row.kind(relationship.slot) == .boxed else { continue }
                let others: [ManagedObject]
                if relationship.isToMany {
                    others = object.manyObjects(relationship.slot)?.all.objects ?? []
                } else {
                    others = object.one(relationship.slot).map { [$0] } ?? []
                }
                for other in others where !other.state.contains(.deleted) && other.hasChanges {
                    if inverse.isToMany {
                        if other.manyObjects(inverse.slot)?.added.contains(object) ?? false {
                            other.forget(object, at: inverse.slot)
                        }
                    } else if other.row.kind(inverse.slot) == .boxed, other.row.boxed(inverse.slot) === object {
                        other.forget(object, at: inverse.slot)
                    }
                }
            }
        }
    }

    private func mergeUpdates(_ group: SavedChanges.Keys) {
        let registry = registry(group.entity)
        var stale: [Int64] = []
        for key in group.keys {
            guard let object = registry.map.find(key), !object.state.contains(.gone) else { continue }
            if object.state.contains(.deleted) {
                // What leads to it now is to follow, or to hinder it, as well.
                unloadMany(object)
                object.state.remove(.propagated)
                pendingChanges.deletions.append(object)
                continue
            }
            unloadStored(object)
            guard !object.accessFlags.contains(.fault) else { continue }
            stale.append(key)
            if !observers.changes.isEmpty { pendingChanges.unreported.refreshed.insert(object) }
        }
        for slice in stale.slices(of: Self.mergeSlice) {
            // A store that cannot be read now leaves the objects as they are; the next read throws.
            _ = try? loadRows(group.entity, Array(slice), refreshing: true)
        }
        bringIn(group, isNew: false)
    }

    /// Fetches those of a group that are not in memory and that an observer waits for.
    private func bringIn(_ group: SavedChanges.Keys, isNew: Bool) {
        for interest in observers.interests.values {
            // An import tells of rows by the entity of its route; some may be of one below it.
            guard group.entity.isKind(of: interest.entity) || interest.entity.isKind(of: group.entity) else { continue }
            let registry = registry(group.entity)
            let missing = group.keys.filter { registry.map.find($0)?.accessFlags.contains(.fault) ?? true }
            for slice in missing.slices(of: Self.mergeSlice) {
                guard let objects = try? matching(Array(slice), interest) else { continue }
                for object in objects {
                    if isNew {
                        pendingChanges.unreported.inserted.insert(object)
                    } else {
                        pendingChanges.unreported.refreshed.insert(object)
                    }
                }
            }
        }
    }

    /// Of the rows of numbers those that pass a filter, as objects.
    private func matching(_ keys: [Int64], _ interest: Interest) throws -> [ManagedObject] {
        let numbers = FilterExpression.constant(
            .list(keys.map { .object(FilterReference(ObjectID(stores, interest.entity, $0))) }))
        let among = Filter(.subject, .in, numbers)
        let request = FetchRequest<ManagedObject>(
            entity: interest.entity.name, where: interest.filter.map { $0 && among } ?? among)
        // Not by `fetch`, which would tell of the merge before it is done.
        return try candidates(RowRequest(request), interest.entity, request)
    }

    /// Sees to it that `observeChanges` hears of objects of an entity that pass a filter, also if another context has
    /// made or changed them and they are not in memory here.
    ///
    /// - Throws: `ContextError` if the model has no such entity.
    public func watch(_ entityName: String, where filter: Filter? = nil) throws -> ContextObservation {
        check()
        let number = observers.next()
        observers.interests[number] = Interest(entity: try entity(named: entityName), filter: filter)
        return observation { $0.observers.interests[number] = nil }
    }
}
