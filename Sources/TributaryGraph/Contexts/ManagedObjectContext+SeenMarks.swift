import TributaryConcurrency
import TributarySQLite

/// The marks of objects that were seen.
extension ManagedObjectContext {
    /// Marks an object of this context as seen.
    package func addMark(of object: ManagedObject, identifier: AnyHashable?) {
        check()
        guard object.owner === self else { return }
        seenMarks.update(object.entity.name) { entry in
            if object.key > 0, !object.state.contains(.inserted) {
                entry.keys.insert(object.key)
            } else {
                entry.objects.insert(object)
            }
            if let identifier { entry.identifiers.insert(identifier) }
        }
    }

    /// Marks the object of an entity that has an identifier.
    package func addMark(of identifier: AnyHashable, _ entity: Entity) {
        check()
        // The ID of an object is its key, which a save stores.
        if let id = identifier.base as? ObjectID {
            if id.stores === stores { addMark(of: object(with: id), identifier: nil) }
        } else {
            seenMarks.update(entity.name) { $0.identifiers.insert(identifier) }
        }
    }

    /// Forgets the marks of an entity, or all, here and with the next save in the store.
    package func forgetMarks(ofEntity name: String?) {
        check()
        seenMarks.forget(name)
    }

    /// Ends the round whose marks were used, for an entity or for all: its marks count until the next mark or save.
    package func useMarks(ofEntity name: String?) {
        check()
        seenMarks.use(name)
    }

    /// The marked objects of an entity, whether their marks are saved or not.
    ///
    /// Marks of the context and its ancestors are a round, beside which those of other rounds do not count.
    package func seenObjects(of entity: Entity) throws -> SeenObjects {
        let (seen, isRound) = ownMarks(of: entity)
        return isRound ? seen : try storedMarks(of: entity)
    }

    /// The marks of the context and its ancestors, and whether those of other rounds do not count.
    ///
    /// A child that has marked objects of the entities `newer` has begun a new round, if the marks here were used.
    private func ownMarks(of entity: Entity, newer: Set<String> = []) -> (seen: SeenObjects, isRound: Bool) {
        check()
        guard !seenMarks.areUsed(entity.name, before: newer) else { return (SeenObjects(), true) }
        syncTemporaryKeys()
        var (seen, isRound) = (SeenObjects(), seenMarks.isRound)
        if let entry = seenMarks.entries[entity.name] { seen.add(entry) }
        if let keys = seenMarks.savedKeys(entity.name) { seen.keys.formUnion(keys) }
        guard !seenMarks.ignoresStored(entity.name) else { return (seen, true) }
        if let parent {
            let newer = newer.union(seenMarks.entries.keys)
            let other = parent.sync { UncheckedTransfer($0.ownMarks(of: entity, newer: newer)) }.value
            seen.add(other.seen)
            isRound = isRound || other.isRound
        }
        return (seen, isRound)
    }

    private func storedMarks(of entity: Entity) throws -> SeenObjects {
        if let parent { return try parent.sync { UncheckedTransfer(try $0.storedMarks(of: entity)) }.value }
        var seen = SeenObjects()
        seen.keys = try stores.store(of: entity).read { connection in
            try MarkTable.keys(feed: MarkTable.contextFeed, run: nil, entity: entity.name, on: connection)
        }
        return seen
    }

    // MARK: Saving

    func saveMarks() throws {
        guard seenMarks.needSaving else { return }
        if let parent { return pushMarks(to: parent) }
        try write([])
        seenMarks.removeSaved()
    }

    /// Writes the marks of the entities of a store, in the transaction of a save.
    ///
    /// Marks that an earlier launch has left are those of an earlier round, which ends with the first new ones.
    func writeMarks(ofStore index: Int, on connection: Connection) throws {
        guard seenMarks.needSaving else { return }
        let launch = stores.stores[index].launch
        if seenMarks.removed.contains(nil) { try MarkTable.remove(feed: MarkTable.contextFeed, on: connection) }
        for case let name? in seenMarks.removed {
            try MarkTable.remove(feed: MarkTable.contextFeed, entity: name, on: connection)
        }
        let keys = seenMarks.keysToSave.filter { name, keys in
            !keys.isEmpty && model[name].map { registry($0).storeIndex == index } ?? false
        }
        if !keys.isEmpty { try MarkTable.remove(feed: MarkTable.contextFeed, besides: launch, on: connection) }
        for (name, keys) in keys {
            try MarkTable.add(keys, feed: MarkTable.contextFeed, run: launch, entity: name, on: connection)
        }
    }

    /// Gives the marks to the parent, after the changes to which they belong.
    func pushMarks(to parent: ParentContext) {
        guard seenMarks.needSaving || !seenMarks.entries.isEmpty else { return }
        let marks = seenMarks
        let newKeys = marks.entries.mapValues { $0.objects.filter { !$0.state.contains(.detached) }.map(\.key) }
        let transfer = UncheckedTransfer((marks, newKeys))
        parent.sync { context in context.receive(marks: transfer.value.0, newKeys: transfer.value.1) }
        seenMarks.removeSaved(isPushed: true)
    }

    private func receive(marks: SeenMarks, newKeys: [String: [Int64]]) {
        seenMarks.receive(marks)
        for (name, keys) in newKeys {
            guard let entity = model[name] else { continue }
            let registry = registry(entity)
            for key in keys {
                let current = currentKey(key, entity)
                if let object = find(registry, current) {
                    addMark(of: object, identifier: nil)
                } else if current > 0 {
                    seenMarks.update(name) { $0.keys.insert(current) }
                }
            }
        }
        seenMarks.use(asIn: marks)
    }
}
