extension ManagedObjectContext {
    /// Merges new objects that were saved into existing rows with earlier objects of these rows.
    ///
    /// There is one object for each row: the new object survives, and references to the earlier object are replaced.
    func mergeDuplicates(_ merged: [(object: ManagedObject, given: Int64, key: Int64)], _ inserted: [ManagedObject]) {
        if merged.isEmpty { return }
        var losers: [ManagedObject] = []
        var survivors: [RowKey: ManagedObject] = [:]
        func row(_ object: ManagedObject) -> RowKey { RowKey(object.entity.root, object.key) }
        for (object, _, key) in merged {
            if let earlier = survivors.updateValue(object, forKey: row(object)) { losers.append(earlier) }
            if let earlier = object.registry?.map.find(key), earlier !== object { losers.append(earlier) }
        }
        for object in inserted {
            if let survivor = survivors[row(object)], survivor !== object { losers.append(object) }
        }
        // The store has the complete to-many relationships of the row.
        for (object, _, _) in merged { unloadMany(object) }
        let loserIDs = Set(losers.map(ObjectIdentifier.init))
        // Rows that existed before this save get updated objects, not inserted ones.
        let mergedIDs = Set(merged.map { ObjectIdentifier($0.object) })
        let new = Set(
            losers.filter { $0.state.contains(.inserted) && !mergedIDs.contains(ObjectIdentifier($0)) }.map(row))
        for (object, _, _) in merged where !loserIDs.contains(ObjectIdentifier(object)) && !new.contains(row(object)) {
            object.state.remove(.inserted)
            object.state.insert(.updated)
        }
        if !loserIDs.isEmpty { replaceReferences(in: allObjects + inserted, to: loserIDs) }
        for object in losers where !object.state.contains(.detached) { detach(object) }
        for survivor in survivors.values {
            if let map = survivor.registry?.map, map.find(survivor.key) == nil { map.insert(survivor) }
        }
    }

    /// Merges two objects of one row.
    ///
    /// The earlier object survives only if it alone has changes; otherwise the new one does, and gets the changes of
    /// the earlier one.
    func mergeDuplicate(_ new: ManagedObject, with earlier: ManagedObject) {
        let (survivor, loser) = earlier.hasChanges && !new.hasChanges ? (earlier, new) : (new, earlier)
        let changes = loser.hasChanges ? Push(loser) : nil
        defer { changes?.image.row.deallocate() }
        replaceReferences(in: allObjects + [survivor], to: [ObjectIdentifier(loser)], with: survivor)
        detach(loser)
        if let map = survivor.registry?.map, map.find(survivor.key) == nil { map.insert(survivor) }
        unloadStored(survivor)
        guard let changes else { return }
        if changes.isDeleted { delete(survivor) } else { assign(changes, to: survivor) }
    }

    private func replaceReferences(
        in objects: [ManagedObject], to losers: Set<ObjectIdentifier>, with survivor: ManagedObject? = nil
    ) {
        for object in objects where !losers.contains(ObjectIdentifier(object)) {
            for relationship in object.entity.relationships {
                replaceReferences(in: object, relationship, to: losers, with: survivor)
            }
        }
    }

    private func replaceReferences(
        in object: ManagedObject, _ relationship: RelationshipProperty, to losers: Set<ObjectIdentifier>,
        with survivor: ManagedObject?
    ) {
        let slot = relationship.slot
        guard object.row.kind(slot) == .boxed else { return }
        guard relationship.isToMany else {
            let other = unsafeDowncast(object.row.boxed(slot), to: ManagedObject.self)
            if losers.contains(ObjectIdentifier(other)) { object.row.set(other.key, slot) }
            return
        }
        guard let many = object.manyObjects(slot) else { return }
        if let survivor, many.hasChanges {
            many.replace(losers, with: survivor)
            return
        }
        // Its changes are saved, so it can be read from the store again.
        if many.all.objects.contains(where: { losers.contains(ObjectIdentifier($0)) }) { object.row.clear(slot) }
    }
}
