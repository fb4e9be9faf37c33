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

    /// The marked objects of an entity, whether their marks are saved or not.
    ///
    /// - Throws: `SQLiteError`, or `StoreError` if the stored marks are damaged.
    package func seenObjects(of entity: Entity) throws -> SeenObjects {
        check()
        syncTemporaryKeys()
        var seen = SeenObjects()
        if let entry = seenMarks.entries[entity.name] { seen.add(entry) }
        guard !seenMarks.ignoresStored(entity.name) else { return seen }
        if let parent {
            seen.add(try parent.sync { UncheckedTransfer(try $0.seenObjects(of: entity)) }.value)
        } else {
            let stored = try stores.store(of: entity).read { connection in
                try MarkTable.keys(feed: MarkTable.contextFeed, run: 0, entity: entity.name, on: connection)
            }
            seen.keys.formUnion(stored)
        }
        return seen
    }

    // MARK: Saving

    /// Saves the marks of a context without other changes.
    func saveMarks() throws {
        guard seenMarks.needSaving else { return }
        if let parent { return pushMarks(to: parent) }
        try write([])
        seenMarks.removeSaved()
    }

    /// Writes the marks of the entities of a store, in the transaction of a save.
    func writeMarks(ofStore index: Int, on connection: Connection) throws {
        if seenMarks.forgetsAll { try MarkTable.remove(feed: MarkTable.contextFeed, on: connection) }
        for name in seenMarks.forgottenEntities {
            try MarkTable.remove(feed: MarkTable.contextFeed, entity: name, on: connection)
        }
        var keysByEntity: [String: KeyBitmap] = [:]
        for (name, entry) in seenMarks.entries {
            guard let entity = model[name], registry(entity).storeIndex == index else { continue }
            var keys = entry.keys
            for object in entry.objects where object.key > 0 && object.state.isDisjoint(with: [.deleted, .detached]) {
                keys.insert(object.key)
            }
            keysByEntity[name] = keys
        }
        try persistMarks(keysByEntity, on: connection)
    }

    /// Stores the keys of marked rows.
    private func persistMarks(_ keysByEntity: [String: KeyBitmap], on connection: Connection) throws {
        for (name, keys) in keysByEntity {
            try MarkTable.add(keys, feed: MarkTable.contextFeed, run: 0, entity: name, on: connection)
        }
    }

    /// Gives the marks to the parent, after the changes to which they belong.
    func pushMarks(to parent: ParentContext) {
        guard seenMarks.needSaving || !seenMarks.entries.isEmpty else { return }
        let marks = seenMarks
        var newKeys: [String: [Int64]] = [:]
        for (name, entry) in marks.entries {
            newKeys[name] = entry.objects.filter { !$0.state.contains(.detached) }.map(\.key)
        }
        let transfer = UncheckedTransfer((marks, newKeys))
        parent.sync { context in context.receive(marks: transfer.value.0, newKeys: transfer.value.1) }
        seenMarks.removeSaved()
    }

    private func receive(marks: SeenMarks, newKeys: [String: [Int64]]) {
        if marks.forgetsAll { seenMarks.forget(nil) }
        for name in marks.forgottenEntities { seenMarks.forget(name) }
        for (name, entry) in marks.entries {
            guard let entity = model[name] else { continue }
            let registry = registry(entity)
            for key in newKeys[name] ?? [] {
                let current = currentKey(key, entity)
                if let object = find(registry, current) {
                    addMark(of: object, identifier: nil)
                } else if current > 0 {
                    seenMarks.update(name) { $0.keys.insert(current) }
                }
            }
            seenMarks.update(name) { own in
                own.keys.formUnion(entry.keys)
                own.identifiers.formUnion(entry.identifiers)
            }
        }
    }
}
