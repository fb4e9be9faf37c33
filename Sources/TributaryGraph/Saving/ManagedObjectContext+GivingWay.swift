/// New objects that turn out to be rows which are there already.
extension ManagedObjectContext {
    /// There is one object for each row: the one that has stood for it, or was inserted before, gives way to the new one.
    ///
    /// Whoever leads to it leads to the new one from now on.
    func giveWay(_ merged: [(object: ManagedObject, key: Int64)], _ inserted: [ManagedObject]) {
        if merged.isEmpty { return }
        var leaving: [ManagedObject] = []
        var heirs: [RowKey: ManagedObject] = [:]
        func row(_ object: ManagedObject) -> RowKey { RowKey(object.entity.root, object.key) }
        for (object, key) in merged {
            if let earlier = heirs.updateValue(object, forKey: row(object)) { leaving.append(earlier) }
            if let earlier = object.home?.map.find(key), earlier !== object { leaving.append(earlier) }
        }
        for object in inserted {
            if let heir = heirs[row(object)], heir !== object { leaving.append(object) }
        }
        // What else has led to the row, or is led to by it, is in the store.
        for (object, _) in merged { unloadMany(object) }
        let gone = Set(leaving.map(ObjectIdentifier.init))
        if gone.isEmpty { return }
        for object in allObjects + inserted where !gone.contains(ObjectIdentifier(object)) {
            for relationship in object.entity.relationships {
                turn(object, relationship, from: gone)
            }
        }
        for object in leaving where !object.state.contains(.detached) { detach(object) }
    }

    private func turn(
        _ object: ManagedObject, _ relationship: RelationshipProperty, from gone: Set<ObjectIdentifier>
    ) {
        let slot = relationship.slot
        guard object.row.kind(slot) == .boxed else { return }
        guard relationship.isToMany else {
            let other = unsafeDowncast(object.row.boxed(slot), to: ManagedObject.self)
            if gone.contains(ObjectIdentifier(other)) { object.row.set(other.key, slot) }
            return
        }
        guard let many = object.manyObjects(slot) else { return }
        // It is written by now: what the store has is all there is.
        if many.all.objects.contains(where: { gone.contains(ObjectIdentifier($0)) }) { object.row.clear(slot) }
    }
}
