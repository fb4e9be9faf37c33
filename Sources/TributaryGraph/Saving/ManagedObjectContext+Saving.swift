import TributarySQLite

/// Writing what has changed.
extension ManagedObjectContext {
    /// Writes everything that has changed, all of it or nothing: into the store, or into the parent context.
    ///
    /// If it throws, nothing was written and all changes are still there, to be mended and saved again. What `willSave` and
    /// the rules for deletion ask for and cannot read makes it throw as well, where elsewhere it would trap.
    ///
    /// Several stores are committed one after the other, each by itself. Whatever their rows do not allow is found before
    /// the first commit; a disk without room, or the end of the power, may come between two.
    ///
    /// - Throws: `SaveError` for values, rows or unique values that do not allow it; what writing throws.
    public func save() throws {
        check()
        demand(!isSaving, "a context does not save while it saves")
        demand(editLog == nil, "a setter does not save its context; save when all records are done")
        isSaving = true
        defer { isSaving = false }
        temporaryKeys.forgetWithoutChildren()
        guard var changed = try throwingReadFailures(prepareAll) else {
            finish(ContextChanges(), nil)
            return
        }
        if let parent {
            changed = try throwingReadFailures { try push(to: parent) }
        } else {
            try write(changed)
        }
        finish(&changed, keepingNumbers: parent != nil)
    }

    /// Everything before the first row is written; gives back the changed objects, or nil if there are none.
    func prepareAll() throws -> [ManagedObject]? { try StoreSession.restricted(prepareChanges) }

    private func prepareChanges() throws -> [ManagedObject]? {
        processPendingChanges()
        try checkReads()
        for observer in observers.willSave.sorted(by: { $0.key < $1.key }) { observer.value(self) }
        processPendingChanges()
        try checkReads()
        guard hasChanges else { return nil }
        let changed = try prepare()
        try checkReads()
        try derive(changed)
        try validate(changed)
        return changed
    }

    /// Saves this context and all above it, up to the store.
    ///
    /// - Throws: what `save` throws in the first context that cannot.
    public func saveToStore() throws {
        try save()
        try parent?.sync { try $0.saveToStore() }
    }

    // MARK: Before

    /// Calls `willSave` of all objects concerned until none of them changes anything more; gives back who has changed.
    private func prepare() throws -> [ManagedObject] {
        let changed = pendingChanges.objects.those(\.hasChanges)
        var concerned = changed
        let access = StoreSession.access(to: stores)
        defer { changedInSave = nil }
        for round in 0..<1000 {
            changedInSave = []
            try forEach(of: concerned, checking: access) { object in
                if !object.state.contains(.detached) { object.willSave() }
            }
            processPendingChanges()
            // A fetch of `willSave` may have processed some of it already.
            concerned = changedInSave ?? []
            if concerned.isEmpty { return round == 0 ? changed : pendingChanges.objects.those(\.hasChanges) }
        }
        let names = Set(concerned.map(\.entity.name)).sorted().joined(separator: ", ")
        throw SaveError(.unstable, reason: "willSave of \(names) changes something each time; let it come to rest")
    }

    /// Calls `body`, which calls a hook, for each object.
    ///
    /// - Throws: `StoreAccess.Refusal` where a hook of one did more than it may.
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
            // A row that is gone may be deleted again.
            guard let registry = object.registry, !object.state.contains(.gone) else { return }
            if object.state.contains(.deleted) {
                registry.validator.checkDeletion(object, &faults)
            } else if !object.accessFlags.contains(.fault) {
                registry.validator.check(object, &faults)
            }
        }
        if !faults.isEmpty { throw SaveError(.validation, faults: faults) }
    }

    // MARK: Writing

    private func write(_ changed: [ManagedObject]) throws {
        var outcomes: [StoreWriter.Outcome] = []
        let inserted = changed.those { $0.state.contains(.inserted) }
        let temporary = inserted.map(\.key)
        do {
            try loadOrders(changed)
            outcomes = try throwingReadFailures { try write(changed, to: stores.stores[...]) }
        } catch {
            var refusal = error as? SaveError
            for (object, key) in zip(inserted, temporary) where object.key != key {
                let given = object.objectID
                object.key = key
                // One that had its number before is found by it again.
                if key > 0, let map = object.registry?.map, map.find(key) == nil { map.insert(object) }
                // The error names the object as the context has it.
                for place in refusal?.conflicts.indices ?? 0..<0 where refusal?.conflicts[place].objectID == given {
                    refusal?.conflicts[place].objectID = object.objectID
                }
            }
            if let error = error as? SQLiteError, error.code == .foreignKeyConstraint {
                throw SaveError(
                    .conflict,
                    reason:
                        "others have saved what leads to an object deleted here, or have deleted what is led to from here; "
                        + "merge their changes, or roll back")
            }
            throw refusal ?? error
        }
        settle(outcomes, inserted)
        temporaryKeys.record(inserted, before: temporary, hasMerged: outcomes.contains { !$0.merged.isEmpty })
        receive(changed)
    }

    /// Lets new objects be found by their numbers before each of them is taken in.
    private func receive(_ changed: [ManagedObject]) {
        guard let first = changed.first, let map = first.registry?.map else { return }
        var next = first.key
        let areNew = changed.holdsForAll { object in
            defer { next += 1 }
            return object.key == next && object.state.intersection([.inserted, .deleted, .detached]) == .inserted
                && (object.registry === first.registry || object.registry?.map === map)
        }
        // One that has had its number before is in the map already.
        if areNew, changed.count > 1, map.find(first.key) == nil, map.find(next - 1) == nil {
            map.receive(changed, from: first.key)
        }
    }

    /// Writes into each store that is concerned, one transaction inside the other.
    ///
    /// What fails in any of them, up to the references that are checked in the end, undoes them all. Only their commits are
    /// one after the other.
    private func write(_ changed: [ManagedObject], to rest: ArraySlice<SQLiteStore>) throws -> [StoreWriter.Outcome] {
        guard let store = rest.first else { return [] }
        let index = rest.startIndex
        var (deleted, updated): ([ManagedObject], [ManagedObject]) = ([], [])
        let inserted = changed.those { object in
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
        guard !deleted.isEmpty || !updated.isEmpty || !inserted.isEmpty else {
            return try write(changed, to: rest.dropFirst())
        }
        return try store.write { connection in
            try connection.transaction {
                try number(inserted, connection)
                var writer = StoreWriter(self, store, connection)
                try writer.write(deleted: deleted, updated: updated, inserted: inserted)
                try checkReads()
                let others = rest.dropFirst()
                // Those behind are committed first.
                if !others.isEmpty { try connection.checkReferences() }
                return [writer.outcome] + (try write(changed, to: others))
            }
        }
    }

    /// Gives new objects the numbers of their rows, which are never given again.
    private func number(_ objects: [ManagedObject], _ connection: Connection) throws {
        var objects = objects.those { $0.key < 0 }[...]
        while let first = objects.first {
            // Entities of one table share their map, and their numbers.
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

    /// Of ordered relationships that have changed unseen, the order must be known before it is written.
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

    /// Gives objects a permanent id before they are saved.
    ///
    /// - Throws: what writing throws.
    public func obtainPermanentIDs(for objects: [ManagedObject]) throws {
        check()
        if let parent {
            let old = objects.filter { $0.key < 0 }
            let keys = old.map(\.key)
            let entities = old.map(\.entity)
            let numbers = try parent.sync { context in try context.reserveNumbers(keys, entities) }
            for (object, number) in zip(old, numbers) { assignKey(object, number) }
            return
        }
        let old = objects.filter { $0.key < 0 && $0.owner === self }
        let numbers = try reserveNumbers(old.map(\.key), old.map(\.entity))
        for (object, number) in zip(old, numbers) { assignKey(object, number) }
    }

    /// Numbers for objects that have none; those of a child that are known here get theirs here as well.
    private func reserveNumbers(_ keys: [Int64], _ entities: [Entity]) throws -> [Int64] {
        let numbers =
            try parent?.sync { try $0.reserveNumbers(keys, entities) }
            ?? zip(keys, entities).map { key, entity in
                // One that was saved meanwhile has its number.
                if case let known = temporaryKeys.current(key, entity), known > 0 { return known }
                return try stores.store(of: entity).write { connection in
                    try connection.transaction { try stores.reserve(1, entity.root, connection) }
                }
            }
        for ((key, entity), number) in zip(zip(keys, entities), numbers) {
            if let known = find(registry(entity), key), known.key == key { assignKey(known, number) }
            // What was given up is so by its new number too.
            if temporaryKeys.discarded.contains(RowKey(entity.root, key)) {
                temporaryKeys.discarded.insert(RowKey(entity.root, number))
            }
        }
        return numbers
    }

    // MARK: Afterwards

    /// Carries out what the writers have settled.
    private func settle(_ outcomes: [StoreWriter.Outcome], _ inserted: [ManagedObject]) {
        for outcome in outcomes {
            mergeDuplicates(outcome.merged, inserted)
            for (object, version) in outcome.written { object.version = version }
            for (object, kept, version) in outcome.adopted {
                take(kept.row, for: object)
                object.version = version
            }
            for (object, kept) in outcome.spared where object.owner === self {
                unloadInverses(of: object, kept?.row)
                object.state.subtract(.anyChange)
                object.state.remove(.propagated)
                object.row.clear()
                object.committed?.deallocate()
                object.committed = nil
                object.accessFlags = .fault
            }
        }
    }

    /// Nothing differs from the store any more.
    func finish(_ changed: inout [ManagedObject], keepingNumbers: Bool, isTold: Bool = true) {
        var done = ContextChanges()
        var saved = SavedChanges(stores)
        let isObserved = !observers.didSave.isEmpty
        // Contexts that are made before the transaction is committed hear of a buffered save as well.
        let isHeard =
            isTold && parent == nil && shouldMergeOnSave
            && (saveBuffer.isActive || stores.contexts.hasListeners(besides: self))
        if isObserved || isHeard {
            let inserted = changed.filter { $0.state.contains(.inserted) && !$0.state.contains(.deleted) }
            let updated = changed.filter {
                $0.state.contains(.updated) && $0.state.isDisjoint(with: [.inserted, .deleted])
            }
            let deleted = changed.filter { $0.state.contains(.deleted) }
            if isObserved {
                done.inserted = Set(inserted)
                done.updated = Set(updated)
                done.deleted = Set(deleted)
            }
            if isHeard {
                saved.insertedKeys = SavedChanges.keys(inserted)
                saved.updatedKeys = SavedChanges.keys(updated)
                saved.deletedKeys = SavedChanges.keys(deleted)
            }
        }
        for object in pendingChanges.modified { object.state.subtract([.modified, .new]) }
        pendingChanges.modified = []
        // Nothing of it is pending any more; what `didSave` changes begins anew.
        var earlier = pendingChanges.objects
        pendingChanges.objects = []
        pendingChanges.processedCount = 0
        var gone: [ManagedObject] = []
        changed.forEachUnretained { object in
            if object.state.contains(.deleted) {
                object.state.remove(.pending)
                gone.append(object)
                return true
            }
            let isNew = object.state.contains(.inserted)
            object.state = object.state.intersection(.detached)
            object.committed?.deallocate()
            object.committed = nil
            if !object.accessFlags.contains(.fault) { object.accessFlags = .notes }
            if let registry = object.registry { for slot in registry.manySlots { object.manyObjects(slot)?.commit() } }
            if isNew, object.version == 0, !keepingNumbers { object.version = 1 }
            if isNew, object.key > 0, let map = object.registry?.map, !map.hasArrivals, map.find(object.key) == nil {
                map.insert(object)
            }
            if isNew, keepingNumbers, object.key < 0 {
                // The parent knows it by the same number.
                if temporaryKeys.objects == nil { temporaryKeys.objects = [:] }
                temporaryKeys.objects?[object.key] = object
            }
            return true
        }
        if !keepingNumbers { temporaryKeys.objects = nil }
        keepPending(earlier, besides: changed, gone)
        earlier = []
        // All objects are as they will be before the first is told: it may change others.
        StoreSession.restricted {
            changed.forEachUnretained { object in
                // One that has given way to another is gone.
                if !object.state.contains(.detached) { object.didSave() }
                return true
            }
        }
        for object in gone { detach(object) }
        gone = []
        for registry in registries { registry.map.registerArrivals() }
        // Whom nobody holds goes before others are told.
        changed = []
        finish(done, isHeard ? saved : nil)
    }

    /// What validation has changed besides is still to be saved; all others are not pending any more.
    private func keepPending(_ earlier: [ManagedObject], besides changed: [ManagedObject], _ gone: [ManagedObject]) {
        // Mostly all that was pending has been saved, and both are one array.
        let areSame = earlier.withUnsafeBufferPointer { all in
            changed.withUnsafeBufferPointer { all.baseAddress == $0.baseAddress && all.count == $0.count }
        }
        if areSame { return }
        let isGone = Set(gone.map(ObjectIdentifier.init))
        for object in earlier {
            if object.hasChanges, !isGone.contains(ObjectIdentifier(object)) {
                pendingChanges.objects.append(object)
            } else {
                object.state.remove(.pending)
            }
        }
    }

    private func finish(_ done: ContextChanges, _ saved: SavedChanges?) {
        for observer in observers.didSave.sorted(by: { $0.key < $1.key }) { observer.value(self, done) }
        if let saved, !saved.isEmpty { notifyOthers(of: saved) }
    }
}
