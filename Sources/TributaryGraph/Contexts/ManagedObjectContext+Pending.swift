import TributaryConcurrency

/// Tracking changes, propagating deletions and notifying observers.
extension ManagedObjectContext {
    /// Prepares for the change of a value of `object`.
    func willModify(_ object: ManagedObject) {
        check()
        guard !object.state.contains(.detached) else { return }
        editLog?.logValues(of: object)
        undoLog?.logValues(of: object)
        if object.committed == nil, !object.state.contains(.inserted) {
            object.committed = object.row.copy()
        }
        if object.state.isDisjoint(with: [.inserted, .updated]) { object.state.insert(.updated) }
        enqueue(object)
        markChanged(object)
        // Entities with derived attributes check each change, so that none of these is set.
        if object.registry?.derived == nil { object.accessFlags.remove(.reportsChange) }
    }

    /// Prepares for the change of a to-many relationship of `object`, for which its row need not be loaded.
    func willModifyReferences(_ object: ManagedObject) {
        check()
        guard !object.state.contains(.detached) else { return }
        editLog?.logState(of: object)
        if object.state.isDisjoint(with: [.inserted, .updated]) { object.state.insert(.updated) }
        enqueue(object)
        markChanged(object)
    }

    func enqueue(_ object: ManagedObject) {
        guard !object.state.contains(.pending) else { return }
        object.state.insert(.pending)
        if !isAbandoned { pendingChanges.objects.append(object) }
    }

    /// Includes an object in the next notification of observers.
    func markChanged(_ object: ManagedObject) {
        guard !object.state.contains(.modified) else { return }
        object.state.insert(.modified)
        pendingChanges.modified.append(object)
    }

    /// Propagates deletions to related objects, and notifies observers of changes.
    ///
    /// The context calls this before each fetch and save, and at the end of each `perform`.
    public func processPendingChanges() {
        check()
        pendingChanges.recordKeys()
        guard propagateDeletions() else { return }
        // Changes that an `ObjectEditor` keeps together, or that set derived attributes, were processed before.
        guard pendingChanges.needProcessing else { return registerChanges() }
        var changes = pendingChanges.unreported
        pendingChanges.unreported = ContextChanges()
        let isObserved = !observers.changes.isEmpty
        var hasDiscarded = false
        for object in pendingChanges.newObjects where object.state.contains(.new) {
            report(object, isObserved, &changes, &hasDiscarded)
        }
        for object in pendingChanges.modified { report(object, isObserved, &changes, &hasDiscarded) }
        pendingChanges.modified.removeAll(keepingCapacity: true)
        if hasDiscarded { pendingChanges.removeDiscarded() }
        pendingChanges.processedCount = pendingChanges.objects.count
        registerChanges()
        guard isObserved, !changes.isEmpty else { return }
        for observer in observers.changes.all { observer(self, changes) }
    }

    /// Adds the change of one object to `changes`, and tracks its next change.
    private func report(
        _ object: ManagedObject, _ isObserved: Bool, _ changes: inout ContextChanges, _ hasDiscarded: inout Bool
    ) {
        if isObserved { add(object, to: &changes) }
        object.state.subtract([.modified, .new])
        changedInSave?.append(object)
        if object.state.contains([.inserted, .deleted]) {
            // It never had a row.
            discardInserted(object)
            hasDiscarded = true
        } else if !object.accessFlags.contains(.fault) {
            object.accessFlags.insert(.reportsChange)
        }
    }

    private func add(_ object: ManagedObject, to changes: inout ContextChanges) {
        let state = object.state
        if state.contains(.deleted) {
            if !state.contains([.inserted, .new]) { changes.deleted.insert(object) }
        } else if state.contains([.inserted, .new]) {
            changes.inserted.insert(object)
        } else if !state.isDisjoint(with: [.inserted, .updated]), !changes.inserted.contains(object) {
            changes.updated.insert(object)
        }
    }

    // MARK: Deletions

    /// Propagates all deletions; false if a relationship cannot be read, after which the rest stays pending.
    ///
    /// The error is thrown by the enclosing call if it can throw, otherwise by the next fetch or save.
    @discardableResult
    func propagateDeletions() -> Bool {
        if pendingChanges.deletions.isEmpty { return true }
        let outer = readFailures.begin()
        defer { readFailures.endKeepingFirst(outer) }
        while !pendingChanges.deletions.isEmpty {
            let round = pendingChanges.deletions
            pendingChanges.deletions = []
            for (index, object) in round.enumerated()
            where object.state.contains(.deleted) && !object.state.contains(.propagated) {
                propagate(object)
                guard readFailures.first == nil else {
                    pendingChanges.deletions = round[index...] + pendingChanges.deletions
                    return false
                }
                // Set last, because related objects still refer to this one during the propagation.
                object.state.insert(.propagated)
            }
        }
        return true
    }

    private func propagate(_ object: ManagedObject) {
        for relationship in object.entity.relationships {
            let rule = relationship.deleteRule
            if rule == .noAction { continue }
            for other in object.destinations(relationship) where other !== object {
                if rule == .cascade { delete(other) }
                // Validation checks the remaining references of a relationship that denies the deletion.
                if rule == .deny { continue }
                if let inverse = relationship.inverse, !other.state.contains(.deleted) || rule != .cascade {
                    other.removeInverse(object, at: inverse.slot)
                }
            }
        }
    }

    // MARK: Observers

    /// Calls `body` with the changes each time that pending changes are processed, on the queue of the context.
    public func observeChanges(_ body: @escaping (ManagedObjectContext, ContextChanges) -> Void) -> ContextObservation {
        observers.changes.add(body, in: self)
    }

    /// Calls `body` before each save; it may still change objects.
    public func observeWillSave(_ body: @escaping (ManagedObjectContext) -> Void) -> ContextObservation {
        observers.willSave.add(body, in: self)
    }

    /// Calls `body` after each save with the saved changes, also if there were none.
    public func observeDidSave(_ body: @escaping (ManagedObjectContext, ContextChanges) -> Void) -> ContextObservation {
        observers.didSave.add(body, in: self)
    }

    /// The objects that became pending since there were `count` of them, or all if some were saved or undone since.
    package func pendingObjects(after count: inout Int) -> ArraySlice<ManagedObject> {
        let objects = pendingChanges.objects
        defer { count = objects.count }
        return objects[(count <= objects.count ? count : 0)...]
    }
}
