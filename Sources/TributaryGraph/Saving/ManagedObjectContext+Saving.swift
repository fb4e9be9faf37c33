import TributarySQLite

extension ManagedObjectContext {
    /// Saves all changes or none of them, into the store or into the parent context.
    ///
    /// If it throws, nothing was written and all changes are still pending, to be corrected and saved again. A property
    /// that `willSave` or a delete rule cannot read makes the save throw, where it would trap elsewhere.
    ///
    /// Several stores are committed one after the other. Violated constraints are reported before the first commit; a
    /// full disk or a power failure can still occur between two commits.
    ///
    /// - Throws: `SaveError` for invalid values, conflicting rows or repeated unique values; errors of the store.
    public func save() throws {
        check()
        demand(!isSaving, "a context cannot be saved during its own save")
        demand(editLog == nil, "a setter must not save its context; save when all records are done")
        isSaving = true
        undoManager?.beginSave()
        defer {
            isSaving = false
            undoManager?.endSave()
        }
        temporaryKeys.forgetWithoutChildren()
        guard var changed = try throwingReadFailures(prepareAll) else {
            try saveMarks()
            for observer in observers.didSave.all { observer(self, ContextChanges()) }
            return
        }
        if let parent {
            changed = try throwingReadFailures { try push(to: parent) }
            pushMarks(to: parent)
        } else {
            try write(changed)
            seenMarks.removeSaved()
        }
        finish(&changed, keepingKeys: parent != nil)
        // Objects for which the store's values were taken over.
        if !pendingChanges.unreported.isEmpty { processPendingChanges() }
    }

    /// Runs observers and hooks, derives attributes and validates; returns the changed objects, nil for none.
    func prepareAll() throws -> [ManagedObject]? { try StoreSession.restricted(prepareChanges) }

    private func prepareChanges() throws -> [ManagedObject]? {
        processPendingChanges()
        try checkReads()
        for observer in observers.willSave.all { observer(self) }
        processPendingChanges()
        try checkReads()
        guard hasChanges else { return nil }
        let changed = try prepare()
        try checkReads()
        try derive(changed)
        try validate(changed)
        return changed
    }

    /// Saves this context and all its ancestors, up to the store.
    ///
    /// - Throws: The error of `save` in the first context that fails.
    public func saveToStore() throws {
        try save()
        try parent?.sync { try $0.saveToStore() }
    }

    // MARK: Preparing

    /// The number of passes in which `willSave` of the objects may change objects.
    static let willSavePasses = 1000

    /// The error of objects that `willSave` still changes after so many passes.
    static func unstable(_ objects: [ManagedObject]) -> SaveError {
        let names = Set(objects.map(\.entity.name)).sorted().joined(separator: ", ")
        return SaveError(
            .unstable,
            reason: "willSave() of \(names) still changes objects after \(willSavePasses) passes; "
                + "assign in willSave() only if the value differs")
    }

    /// Calls `willSave` of all changed objects until a pass changes no more objects; returns the changed objects.
    private func prepare() throws -> [ManagedObject] {
        let changed = pendingChanges.objects.matching(\.hasChanges)
        var concerned = changed
        let access = StoreSession.access(to: stores)
        defer { changedInSave = nil }
        for pass in 0..<Self.willSavePasses {
            changedInSave = []
            try forEach(of: concerned, checking: access) { object in
                if !object.state.contains(.detached) { object.willSave() }
            }
            processPendingChanges()
            // A fetch in `willSave` may have processed pending changes already.
            concerned = changedInSave ?? []
            if concerned.isEmpty { return pass == 0 ? changed : pendingChanges.objects.matching(\.hasChanges) }
        }
        throw Self.unstable(concerned)
    }

    private func forEach(
        of objects: [ManagedObject], checking access: StoreAccess?, _ body: (ManagedObject) -> Void
    ) throws {
        guard let access else {
            return objects.forEachUnretained { object in
                body(object)
                return true
            }
        }
        for object in objects {
            body(object)
            try access.checkHook(of: object)
        }
    }

    private func validate(_ changed: [ManagedObject]) throws {
        var faults: [ValidationError] = []
        try forEach(of: changed, checking: StoreSession.access(to: stores)) { object in
            object.registry?.validator.check(object, &faults)
        }
        if !faults.isEmpty { throw SaveError(.validation, faults: faults) }
    }

    // MARK: Writing

    func write(_ changed: [ManagedObject]) throws {
        var outcomes: [StoreWriter.Outcome] = []
        let inserted = changed.matching { $0.state.contains(.inserted) }
        let temporary = inserted.map(\.key)
        do {
            try loadOrders(changed)
            outcomes = try throwingReadFailures { try write(changed, to: stores.stores[...]) }
        } catch {
            var refusal = error as? SaveError
            for (object, key) in zip(inserted, temporary) where object.key != key {
                let given = object.objectID
                object.key = key
                // An object with a permanent ID must be in the map under its former key.
                if key > 0, let map = object.registry?.map, map.find(key) == nil { map.insert(object) }
                // The error must name the object by the ID that it has again.
                for index in refusal?.conflicts.indices ?? 0..<0 where refusal?.conflicts[index].objectID == given {
                    refusal?.conflicts[index].objectID = object.objectID
                }
            }
            if let error = error as? SQLiteError, error.code == .foreignKeyConstraint {
                throw SaveError(
                    .conflict,
                    reason:
                        "another context saved a reference to an object deleted here, or deleted one referenced here; "
                        + "merge its changes or roll back")
            }
            throw refusal ?? error
        }
        apply(outcomes, inserted)
        temporaryKeys.record(inserted, before: temporary, hasMerged: outcomes.contains { !$0.merged.isEmpty })
        receive(changed)
    }

    /// Makes new objects findable by their keys before they are added to the identity map one by one.
    private func receive(_ changed: [ManagedObject]) {
        guard let first = changed.first, let map = first.registry?.map else { return }
        var next = first.key
        let areNew = changed.holdsForAll { object in
            defer { next += 1 }
            return object.key == next && object.state.intersection([.inserted, .deleted, .detached]) == .inserted
                && (object.registry === first.registry || object.registry?.map === map)
        }
        // Objects with permanent IDs are in the map already.
        if areNew, changed.count > 1, map.find(first.key) == nil, map.find(next - 1) == nil {
            map.receive(changed, from: first.key)
        }
    }

    /// Writes into each store that has changes, in nested transactions.
    ///
    /// A failure in one of them, also of the final check of references, rolls back all of them. Only their commits
    /// happen one after the other.
    private func write(_ changed: [ManagedObject], to rest: ArraySlice<SQLiteStore>) throws -> [StoreWriter.Outcome] {
        guard let store = rest.first else { return [] }
        let index = rest.startIndex
        var (deleted, updated): ([ManagedObject], [ManagedObject]) = ([], [])
        let inserted = changed.matching { object in
            object.registry?.storeIndex == index && object.state.intersection([.inserted, .deleted]) == .inserted
        }
        if inserted.count < changed.count {
            for object in changed where object.registry?.storeIndex == index {
                if object.state.contains(.deleted) {
                    deleted.append(object)
                } else if !object.state.contains(.inserted) {
                    updated.append(object)
                }
            }
        }
        guard !deleted.isEmpty || !updated.isEmpty || !inserted.isEmpty || seenMarks.needSaving else {
            return try write(changed, to: rest.dropFirst())
        }
        return try store.write { connection in
            try connection.transaction {
                try assignKeys(to: inserted, connection)
                var writer = StoreWriter(context: self, store: store, connection: connection)
                try writer.write(deleted: deleted, updated: updated, inserted: inserted)
                try writeMarks(ofStore: index, on: connection)
                try checkReads()
                let others = rest.dropFirst()
                // The inner transactions of the other stores are committed first.
                if !others.isEmpty { try connection.checkReferences() }
                return [writer.outcome] + (try write(changed, to: others))
            }
        }
    }

    /// Gives new objects the keys of their rows; no key is ever assigned twice.
    private func assignKeys(to objects: [ManagedObject], _ connection: Connection) throws {
        var objects = objects.matching { $0.key < 0 }[...]
        while let first = objects.first {
            // Entities of one table share their identity map and their sequence of keys.
            let registry = first.registry
            var count = 0
            objects.forEachUnretained { object in
                guard object.registry === registry || object.registry?.map === registry?.map else { return false }
                count += 1
                return true
            }
            var next = try stores.reserve(count, first.entity.root, connection) - Int64(count)
            objects.prefix(count).forEachUnretained { object in
                next += 1
                object.key = next
                return true
            }
            objects = objects.dropFirst(count)
        }
    }

    /// Loads ordered relationships that were changed without being loaded, because a save writes their complete order.
    private func loadOrders(_ changed: [ManagedObject]) throws {
        guard registries.contains(where: { !$0.manySlots.isEmpty }) else { return }
        let updated = changed.filter { $0.state.isDisjoint(with: [.deleted, .inserted]) }
        for object in updated {
            for relationship in object.entity.relationships where relationship.isOrdered && relationship.isToMany {
                guard let many = object.manyObjects(relationship.slot), !many.isLoaded, many.hasChanges else {
                    continue
                }
                try loadMany(relationship, of: [object])
            }
        }
    }

    /// Gives objects permanent IDs before they are saved.
    ///
    /// - Throws: `StoreError` or `SQLiteError` if the store cannot be written.
    public func obtainPermanentIDs(for objects: [ManagedObject]) throws {
        check()
        let old = objects.filter { $0.key < 0 && (parent != nil || $0.owner === self) }
        let (keys, entities) = (old.map(\.key), old.map(\.entity))
        let newKeys =
            try parent?.sync { try $0.reserveKeys(for: keys, entities) } ?? reserveKeys(for: keys, entities)
        for (object, key) in zip(old, newKeys) { assignKey(object, key) }
    }

    /// Reserves permanent keys for the temporary `keys`, and assigns them to the objects of this context.
    private func reserveKeys(for keys: [Int64], _ entities: [Entity]) throws -> [Int64] {
        let newKeys =
            try parent?.sync { try $0.reserveKeys(for: keys, entities) } ?? reserveKeysInStores(for: keys, entities)
        for ((key, entity), newKey) in zip(zip(keys, entities), newKeys) {
            if let known = find(registry(entity), key), known.key == key { assignKey(known, newKey) }
            // A discarded object is also discarded under its permanent key.
            if temporaryKeys.discarded.contains(RowKey(entity.root, key)) {
                temporaryKeys.discarded.insert(RowKey(entity.root, newKey))
            }
        }
        return newKeys
    }

    /// Reserves permanent keys in one transaction of each store, with one statement for each table.
    private func reserveKeysInStores(for keys: [Int64], _ entities: [Entity]) throws -> [Int64] {
        // An object that was saved since has a permanent key.
        var newKeys = zip(keys, entities).map { temporaryKeys.current($0, $1) }
        let open = newKeys.indices.filter { newKeys[$0] < 0 }
        for (store, indexes) in Dictionary(grouping: open, by: { stores.storeIndex(of: entities[$0]) }) {
            guard let store else { preconditionFailure("an object belongs to no open store") }
            try stores.stores[store].write { connection in
                try connection.transaction {
                    for (root, indexes) in Dictionary(grouping: indexes, by: { entities[$0].root }) {
                        let last = try stores.reserve(indexes.count, root, connection)
                        for (key, index) in zip((last - Int64(indexes.count) + 1)..., indexes) { newKeys[index] = key }
                    }
                }
            }
        }
        return newKeys
    }

    // MARK: Finishing

    private func apply(_ outcomes: [StoreWriter.Outcome], _ inserted: [ManagedObject]) {
        for outcome in outcomes {
            mergeDuplicates(outcome.merged, inserted)
            for (object, version) in outcome.written { object.version = version }
            for (object, values, version) in outcome.accepted {
                replaceValues(of: object, with: values.row)
                object.version = version
            }
            for (object, values) in outcome.keptStored where object.owner === self {
                unloadInverses(of: object, values?.row)
                object.state.subtract(.anyChange)
                object.state.remove(.propagated)
                object.discardValues()
                if !observers.changes.isEmpty { pendingChanges.unreported.refreshed.insert(object) }
            }
        }
    }

    /// Marks saved objects as unchanged, and notifies hooks, observers and other contexts.
    func finish(_ changed: inout [ManagedObject], keepingKeys: Bool, notifiesOthers: Bool = true) {
        var done = ContextChanges()
        var saved = SavedChanges(stores)
        let isObserved = !observers.didSave.isEmpty
        // Contexts that are made before the transaction is committed are notified of a buffered save as well.
        let hasListeners =
            notifiesOthers && parent == nil && shouldMergeOnSave
            && (bufferedSaves != nil || stores.contexts.hasListeners(besides: self))
        if isObserved || hasListeners {
            let inserted = changed.filter { $0.isInserted }
            let updated = changed.filter { $0.isUpdated }
            let deleted = changed.filter { $0.state.contains(.deleted) }
            if isObserved {
                done.inserted = Set(inserted)
                done.updated = Set(updated)
                done.deleted = Set(deleted)
            }
            if hasListeners {
                saved.insertedKeys = SavedChanges.keys(inserted)
                saved.updatedKeys = SavedChanges.keys(updated)
                saved.deletedKeys = SavedChanges.keys(deleted)
            }
        }
        for object in pendingChanges.modified { object.state.subtract([.modified, .new]) }
        pendingChanges.modified = []
        // Changes of `didSave` are pending again.
        var earlier = pendingChanges.objects
        pendingChanges.objects = []
        pendingChanges.processedCount = 0
        pendingChanges.forgetKeysIfEmpty()
        var detaching: [ManagedObject] = []
        changed.forEachUnretained { object in
            if object.state.contains(.deleted) {
                object.state.remove(.pending)
                detaching.append(object)
                return true
            }
            let isNew = object.state.contains(.inserted)
            object.state = object.state.intersection(.detached)
            object.forgetCommitted()
            if !object.accessFlags.contains(.fault) { object.accessFlags = .reportsChange }
            if let registry = object.registry { for slot in registry.manySlots { object.manyObjects(slot)?.commit() } }
            if isNew, object.version == 0, !keepingKeys { object.version = 1 }
            if isNew, object.key > 0, let map = object.registry?.map, map.objectsBeingSaved == nil,
                map.find(object.key) == nil
            {
                map.insert(object)
            }
            if isNew, keepingKeys, object.key < 0 {
                // The parent knows it by the same temporary key.
                if temporaryKeys.objects == nil { temporaryKeys.objects = [:] }
                temporaryKeys.objects?[object.key] = object
            }
            return true
        }
        if !keepingKeys { temporaryKeys.objects = nil }
        keepPending(earlier, besides: changed, detaching)
        earlier = []
        // Called after all objects have their final state, because `didSave` may change other objects.
        StoreSession.restricted {
            changed.forEachUnretained { object in
                // An object that was merged into another one is detached.
                if !object.state.contains(.detached) { object.didSave() }
                return true
            }
        }
        for object in detaching { detach(object) }
        detaching = []
        for registry in registries { registry.map.registerSavedObjects() }
        // Releases unreferenced objects before other contexts are notified.
        changed = []
        for observer in observers.didSave.all { observer(self, done) }
        if hasListeners, !saved.isEmpty { notifyOthers(of: saved) }
    }

    /// Keeps objects pending that were changed during validation, and removes all others.
    private func keepPending(
        _ earlier: [ManagedObject], besides changed: [ManagedObject], _ detaching: [ManagedObject]
    ) {
        // Mostly all pending objects were saved, and both are one array.
        let areSame = earlier.withUnsafeBufferPointer { all in
            changed.withUnsafeBufferPointer { all.baseAddress == $0.baseAddress && all.count == $0.count }
        }
        if areSame { return }
        let detachingIDs = Set(detaching.map(ObjectIdentifier.init))
        for object in earlier {
            if object.hasChanges, !detachingIDs.contains(ObjectIdentifier(object)) {
                pendingChanges.objects.append(object)
            } else {
                object.state.remove(.pending)
            }
        }
    }
}
