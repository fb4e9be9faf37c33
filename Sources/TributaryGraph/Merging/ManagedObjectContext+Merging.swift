extension ManagedObjectContext {
    /// The objects that an observer wants to be notified of, whether they are in memory or not.
    struct Interest {
        let entity: Entity
        let filter: Filter?
    }

    /// A moment of a merge that observers of merges are called at.
    enum MergeStage {
        /// Before anything is merged.
        case begins
        /// After everything was merged, and the observers of changes were called.
        case ended(SavedChanges)
    }

    /// The number of objects that one query of a merge reads.
    static let mergeSlice = 500

    func notifyOthers(of saved: SavedChanges) {
        if bufferedSaves != nil { bufferedSaves?.add(saved) } else { saved.notifyContexts(except: self) }
    }

    /// Buffers the notifications of saves from now on, because the saves are part of a larger transaction.
    package func bufferSaves() { bufferedSaves = bufferedSaves ?? SavedChanges(stores) }

    /// The changes saved since the last call, to be announced when the transaction is committed.
    package func takeBufferedSaves() -> SavedChanges? {
        guard let saved = bufferedSaves, !saved.isEmpty else { return nil }
        bufferedSaves = SavedChanges(stores)
        return saved
    }

    /// Merges the save of another context: objects in memory get the values of the store and keep their own changes,
    /// and deleted ones are marked as deleted.
    ///
    /// Objects that are not in memory are fetched only where an observer's filter may match them.
    public func merge(_ saved: SavedChanges) {
        check()
        guard saved.stores === stores else { return }
        undoManager?.willMerge(saved)
        for observer in observers.merges.all { observer(.begins) }
        if saved.isReload { reload() } else { mergeRows(of: saved) }
        for observer in observers.merges.all { observer(.ended(saved)) }
    }

    private func mergeRows(of saved: SavedChanges) {
        withoutRegistration {
            for group in saved.deletedKeys { mergeDeletions(group) }
            for group in saved.updatedKeys { mergeUpdates(group) }
            for group in saved.insertedKeys { mergeInsertions(group) }
            for group in saved.deletedKeys { unlinkDeleted(group) }
        }
        processPendingChanges()
    }

    private func mergeInsertions(_ group: SavedChanges.Keys) {
        let map = registry(group.entity).map
        // The other context has undone the deletion of their rows.
        let back = group.keys.filter { map.find($0)?.state.contains(.rowDeleted) ?? false }
        for key in back {
            guard let object = map.find(key) else { continue }
            // What was deleted here before stays deleted.
            let wasDeleted = object.state.contains(.outdated)
            object.state.subtract(wasDeleted ? .rowDeleted : [.deleted, .propagated, .rowDeleted])
            removalCount += 1
        }
        if !back.isEmpty { mergeUpdates(.init(entity: group.entity, keys: back)) }
        fetchUnloaded(group, isNew: true)
    }

    /// Merges saves that were too many to be kept, by comparing every object in memory with the store.
    private func reload() {
        let stored = allObjects.filter {
            $0.key > 0 && !$0.state.contains(.inserted) && !$0.state.contains(.rowDeleted)
        }
        var saved = SavedChanges(stores)
        saved.updatedKeys = SavedChanges.keys(stored)
        saved.deletedKeys = saved.updatedKeys.map { group in
            var missing = Set(group.keys)
            for slice in group.keys.slices(of: Self.mergeSlice) {
                // A store that cannot be read now leaves the objects as they are; the next read throws.
                guard let objects = try? loadRows(group.entity, Array(slice)) else {
                    return .init(entity: group.entity)
                }
                missing.subtract(objects.map(\.key))
            }
            return .init(entity: group.entity, keys: missing.sorted())
        }
        pendingChanges.unreported.isReload = true
        mergeRows(of: saved)
    }

    private func mergeDeletions(_ group: SavedChanges.Keys) {
        for key in group.keys {
            guard let object = registry(group.entity).map.find(key) else { continue }
            let isMerged = object.state.contains(.rowDeleted)
            object.state.insert(.rowDeleted)
            removalCount += 1
            if object.state.contains(.deleted) {
                if !isMerged { object.state.insert(.outdated) }
                continue
            }
            // The other context has applied the delete rules and saved their effects.
            object.state.insert([.deleted, .propagated])
            enqueue(object)
            markChanged(object)
        }
    }

    /// Removes the references to deleted objects that this context has added.
    private func unlinkDeleted(_ group: SavedChanges.Keys) {
        for key in group.keys {
            guard let object = registry(group.entity).map.find(key) else { continue }
            for relationship in object.entity.relationships {
                guard let inverse = relationship.inverse, object.row.kind(relationship.slot) == .boxed else { continue }
                let others =
                    relationship.isToMany
                    ? object.manyObjects(relationship.slot)?.all.objects : object.one(relationship.slot).map { [$0] }
                for other in others ?? [] where !other.state.contains(.deleted) && other.hasChanges {
                    let refers =
                        inverse.isToMany
                        ? other.manyObjects(inverse.slot)?.added.contains(object) ?? false
                        : other.row.object(inverse.slot) === object
                    if refers { other.removeInverse(object, at: inverse.slot) }
                }
            }
        }
    }

    private func mergeUpdates(_ group: SavedChanges.Keys) {
        let registry = registry(group.entity)
        var stale: [Int64] = []
        for key in group.keys {
            guard let object = registry.map.find(key), !object.state.contains(.rowDeleted) else { continue }
            if object.state.contains(.deleted) {
                // Objects that refer to it now are subject to its delete rules as well.
                unloadMany(object)
                object.state.remove(.propagated)
                object.state.insert(.outdated)
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
        fetchUnloaded(group, isNew: false)
    }

    /// Fetches the objects of a group that are not loaded and in which an observer is interested.
    private func fetchUnloaded(_ group: SavedChanges.Keys, isNew: Bool) {
        for interest in observers.interests.all {
            // An import reports rows by the entity of its route, whose rows may be of a subentity.
            guard group.entity.isKind(of: interest.entity) || interest.entity.isKind(of: group.entity) else { continue }
            let registry = registry(group.entity)
            let missing = group.keys.filter { registry.map.find($0)?.accessFlags.contains(.fault) ?? true }
            for slice in missing.slices(of: Self.mergeSlice) {
                guard let objects = try? matching(Array(slice), interest) else { continue }
                if isNew {
                    pendingChanges.unreported.inserted.formUnion(objects)
                } else {
                    pendingChanges.unreported.refreshed.formUnion(objects)
                }
            }
        }
    }

    /// The objects of `keys` that pass the filter of an interest.
    func matching(_ keys: [Int64], _ interest: Interest) throws -> [ManagedObject] {
        let list = FilterExpression.constant(
            .list(keys.map { .object(FilterReference(ObjectID(stores, interest.entity, $0))) }))
        let among = Filter(.subject, .in, list)
        let request = FetchRequest<ManagedObject>(
            entity: interest.entity.name, where: interest.filter.map { $0 && among } ?? among)
        // `fetch` would process pending changes, and notify observers in the middle of the merge.
        return try candidates(RowRequest(request), interest.entity, request)
    }

    /// Includes objects of an entity that pass a filter in `observeChanges`, also if another context inserted or
    /// changed them and they are not in memory here.
    ///
    /// - Throws: `ContextError` if the model has no such entity.
    public func watch(_ entityName: String, where filter: Filter? = nil) throws -> ContextObservation {
        observers.interests.add(Interest(entity: try entity(named: entityName), filter: filter), in: self)
    }

    func observeMerges(_ body: @escaping (MergeStage) -> Void) -> ContextObservation {
        observers.merges.add(body, in: self)
    }
}
