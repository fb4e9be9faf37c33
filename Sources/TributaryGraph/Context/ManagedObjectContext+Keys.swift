/// Keys of rows that objects get after other contexts have seen them.
extension ManagedObjectContext {
    /// Changes whenever objects of this context, or of one above it, get other keys.
    var keyGeneration: Int { temporaryKeys.currentGeneration + (parent?.identity.keyGeneration ?? 0) }

    /// The key that an object has now; a child may know only an earlier one.
    func currentKey(_ key: Int64, _ entity: Entity) -> Int64 {
        let known = temporaryKeys.current(key, entity)
        return known > 0 ? known : parent?.sync { $0.currentKey(key, entity) } ?? known
    }

    /// Gives an object that had none the key of a row.
    func assignKey(_ object: ManagedObject, _ key: Int64) {
        guard object.key < 0 else { return }
        temporaryKeys.replace(object.key, with: key)
        register(object, at: key)
    }

    private func register(_ object: ManagedObject, at key: Int64) {
        object.key = key
        guard let map = object.registry?.map else { return }
        if let earlier = map.find(key), earlier !== object {
            unite(object, with: earlier)
        } else {
            map.insert(object)
        }
    }

    // MARK: From the parent

    /// Records whether images refer to keys that will be replaced; they were made in that generation.
    func recordKeys(of images: some Sequence<ObjectImage>, in generation: Int) {
        for image in images where image.leadsToNew || image.key < 0 {
            if image.leadsToNew { temporaryKeys.areReferenced = true }
            // They may have been replaced since.
            if generation != temporaryKeys.parentGeneration { temporaryKeys.parentGeneration = -1 }
        }
    }

    /// Gives objects the keys of the rows that the parent has saved them into since they were read from it.
    func syncTemporaryKeys() {
        guard let parent else { return }
        let generation = parent.identity.keyGeneration
        // Mostly it has saved nothing since.
        guard generation != temporaryKeys.parentGeneration else { return }
        temporaryKeys.parentGeneration = generation
        let waiting = temporaryKeys.objects?.values.filter { $0.state.isDisjoint(with: [.inserted, .detached]) } ?? []
        var wanted = waiting.map { RowKey($0.entity, $0.key) }
        forEachReference { row, slot, entity in
            if row.integer(slot) < 0 { wanted.append(RowKey(entity, row.integer(slot))) }
        }
        let keys = wanted
        let (currentKeys, merged) = parent.sync { context in
            context.syncTemporaryKeys()
            return (keys.map { context.currentKey($0.key, $0.entity) }, context.temporaryKeys.mergedKeys)
        }
        var known: [Int64: Int64] = [:]
        for (row, key) in zip(keys, currentKeys) where key > 0 { known[row.key] = key }
        let new = temporaryKeys.merge(merged)
        temporaryKeys.areReferenced = temporaryKeys.areReferenced || !new.isEmpty
        var hasRest = false
        forEachReference { row, slot, entity in
            let key = row.integer(slot)
            if let current = key < 0 ? known[key] : new[RowKey(entity.root, key)] {
                row.set(current, slot)
            } else if key < 0 {
                hasRest = true
            }
        }
        temporaryKeys.areReferenced = hasRest
        for object in waiting { if let key = known[object.key] { assignKey(object, key) } }
        for (row, key) in new {
            let map = registry(row.entity).map
            guard let object = map.find(row.key) else { continue }
            map.remove(object)
            register(object, at: key)
        }
    }

    /// Calls `body` with the slot of each to-one relationship that is kept as a key, if any of the keys may be replaced.
    private func forEachReference(_ body: (Row, Int, Entity) -> Void) {
        guard temporaryKeys.areReferenced else { return }
        for object in allObjects {
            for relationship in object.entity.relationships where !relationship.isToMany {
                let slot = relationship.slot
                if object.row.kind(slot) == .integer { body(object.row, slot, relationship.destination) }
                if let row = object.committed, row.kind(slot) == .integer { body(row, slot, relationship.destination) }
            }
        }
    }
}
