/// New objects that turn out to be rows which are there already.
extension ManagedObjectContext {
    /// There is one object for each row: the one that has stood for it, or was inserted before, gives way to the new one.
    ///
    /// Whoever leads to it leads to the new one from now on.
    func mergeDuplicates(_ merged: [(object: ManagedObject, given: Int64, key: Int64)], _ inserted: [ManagedObject]) {
        if merged.isEmpty { return }
        var leaving: [ManagedObject] = []
        var heirs: [RowKey: ManagedObject] = [:]
        func row(_ object: ManagedObject) -> RowKey { RowKey(object.entity.root, object.key) }
        for (object, _, key) in merged {
            if let earlier = heirs.updateValue(object, forKey: row(object)) { leaving.append(earlier) }
            if let earlier = object.registry?.map.find(key), earlier !== object { leaving.append(earlier) }
        }
        for object in inserted {
            if let survivor = heirs[row(object)], survivor !== object { leaving.append(object) }
        }
        // What else has led to the row, or is led to by it, is in the store.
        for (object, _, _) in merged { unloadMany(object) }
        let gone = Set(leaving.map(ObjectIdentifier.init))
        // Only what nobody had saved before is new.
        let mergedIDs = Set(merged.map { ObjectIdentifier($0.object) })
        let new = Set(
            leaving.filter { $0.state.contains(.inserted) && !mergedIDs.contains(ObjectIdentifier($0)) }.map(row))
        for (object, _, _) in merged where !gone.contains(ObjectIdentifier(object)) && !new.contains(row(object)) {
            object.state.remove(.inserted)
            object.state.insert(.updated)
        }
        if !gone.isEmpty {
            for object in allObjects + inserted where !gone.contains(ObjectIdentifier(object)) {
                for relationship in object.entity.relationships { turn(object, relationship, from: gone) }
            }
        }
        for object in leaving where !object.state.contains(.detached) { detach(object) }
        for survivor in heirs.values {
            if let map = survivor.registry?.map, map.find(survivor.key) == nil { map.insert(survivor) }
        }
    }

    /// Of two objects that turn out to be one row one gives way: the one that was not changed here, or the earlier one,
    /// whose changes the other takes over.
    func unite(_ new: ManagedObject, with earlier: ManagedObject) {
        let (survivor, leaving) = earlier.hasChanges && !new.hasChanges ? (earlier, new) : (new, earlier)
        let changes = leaving.hasChanges ? Push(leaving) : nil
        defer { changes?.image.row.deallocate() }
        let gone: Set = [ObjectIdentifier(leaving)]
        for object in allObjects + [survivor] where object !== leaving {
            for relationship in object.entity.relationships { turn(object, relationship, from: gone, to: survivor) }
        }
        detach(leaving)
        if let map = survivor.registry?.map, map.find(survivor.key) == nil { map.insert(survivor) }
        unloadStored(survivor)
        guard let changes else { return }
        if changes.isDeleted { delete(survivor) } else { assign(changes, to: survivor) }
    }

    private func turn(
        _ object: ManagedObject, _ relationship: RelationshipProperty, from gone: Set<ObjectIdentifier>,
        to survivor: ManagedObject? = nil
    ) {
        let slot = relationship.slot
        guard object.row.kind(slot) == .boxed else { return }
        guard relationship.isToMany else {
            let other = unsafeDowncast(object.row.boxed(slot), to: ManagedObject.self)
            if gone.contains(ObjectIdentifier(other)) { object.row.set(other.key, slot) }
            return
        }
        guard let many = object.manyObjects(slot) else { return }
        if let survivor, many.hasChanges {
            many.replace(gone, with: survivor)
            return
        }
        // Nothing of it is to be written any more: what the store has is all there is.
        if many.all.objects.contains(where: { gone.contains(ObjectIdentifier($0)) }) { object.row.clear(slot) }
    }
}
