extension ManagedObjectContext {
    /// Undoes or redoes steps, without processing the changes.
    func apply(_ steps: [UndoStep], isUndo: Bool) throws {
        demand(!isSaving && editLog == nil, "changes cannot be undone or redone during a save or in a setter")
        syncTemporaryKeys()
        // Read first, so that a store that cannot be read leaves everything as it is.
        try throwingReadFailures { for step in steps { loadValues(for: step) } }
        let log = undoLog
        undoLog = nil
        let firstNew = pendingChanges.objects.count
        for step in isUndo ? steps.reversed() : steps { apply(step, isUndo) }
        markReferences(to: pendingChanges.objects[firstNew...].filter { $0.state.contains(.new) && $0.key < 0 })
        var seen: Set<ObjectIdentifier> = []
        for step in steps where seen.insert(ObjectIdentifier(step.object)).inserted {
            removeIneffectiveChanges(of: step.object)
        }
        undoLog = log
    }

    private func loadValues(for step: UndoStep) {
        let object = step.object
        guard isUsable(object) else { return }
        switch step {
        case .inserted, .deleted:
            if object.accessFlags.contains(.fault) { load(object) }
            if object.state.contains(.deleted) { return }
            for relationship in object.entity.relationships where relationship.isToMany {
                _ = object.loadedMany(relationship.slot)
            }
        case .values: if object.accessFlags.contains(.fault) { load(object) }
        case .added(_, let slot, _), .removed(_, let slot, _, _), .arranged(_, let slot, _, _):
            if object.relationship(slot).isOrdered { _ = object.loadedMany(slot) }
        }
    }

    private func apply(_ step: UndoStep, _ isUndo: Bool) {
        switch step {
        case .inserted(let contents): isUndo ? remove(contents) : reinsert(contents)
        case .deleted(let contents): isUndo ? reinsert(contents) : remove(contents)
        case .values(let contents): exchange(contents)
        case .added(let object, let slot, let other):
            isUndo ? unlink(object, slot, other) : link(object, slot, other, at: nil)
        case .removed(let object, let slot, let other, let position):
            isUndo ? link(object, slot, other, at: position) : unlink(object, slot, other)
        case .arranged(let object, let slot, let before, let after): arrange(object, slot, isUndo ? before : after)
        }
    }

    /// Whether an object is in the context, and no other context has deleted its row.
    private func isUsable(_ object: ManagedObject) -> Bool { object.state.isDisjoint(with: [.detached, .rowDeleted]) }

    // MARK: Objects

    /// Marks an object as deleted; the other steps contain the effects of its delete rules.
    private func remove(_ contents: ObjectContents) {
        let object = contents.object
        guard isUsable(object), !object.state.contains(.deleted) else { return contents.forget() }
        contents.copyAll()
        object.state.insert([.deleted, .propagated])
        // A reference without a maintained inverse keeps the key, under which the object may be inserted again.
        if object.state.contains(.inserted), object.key > 0 { object.version = 1 }
        enqueue(object)
        markChanged(object)
    }

    /// Removes the mark of a deleted object, or inserts it again, with its key, if it has left the context.
    private func reinsert(_ contents: ObjectContents) {
        let object = contents.object
        guard contents.isKnown, !object.state.contains(.rowDeleted), let registry = object.registry else { return }
        guard object.state.contains(.detached) else {
            object.state.subtract([.deleted, .propagated])
            if !observers.changes.isEmpty { pendingChanges.unreported.inserted.insert(object) }
            return
        }
        if object.key > 0, let other = registry.map.find(object.key) {
            // A fault that was made for its ID while it had no row takes no part in anything.
            guard other.accessFlags.contains(.fault), !other.hasChanges else { return }
            detach(other)
        }
        makeFindable(object, registry)
        temporaryKeys.discarded.remove(RowKey(object.entity.root, object.key))
        contents.restoreAll()
        object.version = 0
        object.state = [.inserted, .pending, .modified, .new]
        removalCount += 1
        object.accessFlags = registry.derived == nil ? [] : .reportsChange
        pendingChanges.objects.append(object)
    }

    // MARK: Values and relationships

    private func exchange(_ contents: ObjectContents) {
        let object = contents.object
        guard isUsable(object), !object.accessFlags.contains(.fault) else { return }
        willModify(object)
        contents.exchangeValues()
        if parent != nil { syncReferences(of: object) }
    }

    /// Replaces the temporary keys of destinations in the parent by their current keys.
    private func syncReferences(of object: ManagedObject) {
        for relationship in object.entity.relationships where !relationship.isToMany {
            let slot = relationship.slot
            guard object.row.kind(slot) == .integer, object.row.integer(slot) < 0 else { continue }
            object.row.set(currentKey(object.row.integer(slot), relationship.destination), slot)
            if object.row.integer(slot) < 0 { temporaryKeys.areReferenced = true }
        }
    }

    private func link(_ object: ManagedObject, _ slot: Int, _ other: ManagedObject, at position: Int?) {
        guard isUsable(object) else { return }
        willModifyReferences(object)
        let many = object.manyToChange(slot)
        guard many.append(other), let position, position < many.all.count else { return }
        many.move(from: many.all.count - 1, to: position)
    }

    private func unlink(_ object: ManagedObject, _ slot: Int, _ other: ManagedObject) {
        guard isUsable(object) else { return }
        willModifyReferences(object)
        object.manyToChange(slot).remove(other)
    }

    private func arrange(_ object: ManagedObject, _ slot: Int, _ order: [ManagedObject]) {
        guard isUsable(object), let many = object.manyObjects(slot) else { return }
        willModifyReferences(object)
        many.arrange(order)
    }

    // MARK: Afterwards

    /// Removes references to objects that have left the context, and marks an object that is equal to its row as
    /// unchanged.
    private func removeIneffectiveChanges(of object: ManagedObject) {
        guard isUsable(object), !object.state.contains(.deleted) else { return }
        removeLostReferences(of: object)
        guard object.isUpdated, object.isEqualToRow else { return }
        object.state.remove(.updated)
        object.forgetCommitted()
        if !observers.changes.isEmpty { pendingChanges.unreported.updated.insert(object) }
    }

    private func removeLostReferences(of object: ManagedObject) {
        for relationship in object.entity.relationships {
            let slot = relationship.slot
            // A reference without a maintained inverse may dangle.
            guard let inverse = relationship.inverse, inverse.deleteRule != .noAction, object.row.kind(slot) == .boxed
            else { continue }
            if relationship.isToMany, let many = object.manyObjects(slot) {
                for other in many.all.objects + many.added.objects where !isUsable(other) { many.remove(other) }
            } else if let other = object.row.object(slot), !isUsable(other) {
                willModify(object)
                object.row.clear(slot)
            }
        }
    }
}

extension ManagedObject {
    fileprivate final var isEqualToRow: Bool {
        (committed.map { old in valueSlots.allSatisfy { row.isEqual(old, $0) } } ?? true)
            && registry?.manySlots.allSatisfy { !(manyObjects($0)?.hasChanges ?? false) } ?? true
    }
}
