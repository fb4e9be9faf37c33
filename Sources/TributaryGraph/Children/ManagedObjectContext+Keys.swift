/// Replacing temporary keys that child contexts may know.
extension ManagedObjectContext {
    /// A number that changes whenever the key of an object of this context or of an ancestor changes.
    var keyGeneration: Int { temporaryKeys.currentGeneration + (parent?.identity.keyGeneration ?? 0) }

    /// The current key of an object, of which a child may know an earlier key.
    func currentKey(_ key: Int64, _ entity: Entity) -> Int64 {
        let known = temporaryKeys.current(key, entity)
        return known > 0 ? known : parent?.sync { $0.currentKey(key, entity) } ?? known
    }

    /// Gives an object with a temporary key the key of a row.
    func assignKey(_ object: ManagedObject, _ key: Int64) {
        guard object.key < 0 else { return }
        temporaryKeys.replace(object.key, with: key)
        register(object, at: key)
    }

    private func register(_ object: ManagedObject, at key: Int64) {
        object.key = key
        guard let map = object.registry?.map else { return }
        if let earlier = map.find(key), earlier !== object {
            mergeDuplicate(object, with: earlier)
        } else {
            map.insert(object)
        }
    }

    // MARK: From the parent

    /// Records whether images, made in the key generation `generation`, refer to keys that will be replaced.
    func recordKeys(of images: some Sequence<ObjectImage>, in generation: Int) {
        for image in images where image.refersToNew || image.key < 0 {
            if image.refersToNew { temporaryKeys.areReferenced = true }
            // The keys may have been replaced since.
            if generation != temporaryKeys.parentGeneration { temporaryKeys.parentGeneration = -1 }
        }
    }

    /// Gives objects the keys of the rows into which the parent has saved them since they were read from it.
    func syncTemporaryKeys() {
        guard let parent else { return }
        let generation = parent.identity.keyGeneration
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

    /// Calls `body` with the slot of each to-one relationship that holds a key, if any of these keys may be replaced.
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
