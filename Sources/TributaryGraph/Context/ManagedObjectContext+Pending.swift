/// What has changed, and what follows from it.
extension ManagedObjectContext {
    /// A value of `object` is about to change.
    func note(_ object: ManagedObject) {
        check()
        guard !object.state.contains(.detached) else { return }
        editLog?.noteValues(of: object)
        if object.committed == nil, !object.state.contains(.inserted) {
            object.committed = object.row.copy()
        }
        if object.state.isDisjoint(with: [.inserted, .updated]) { object.state.insert(.updated) }
        enqueue(object)
        markChanged(object)
        // Where something is computed, each change must be looked at.
        if object.registry?.derived == nil { object.accessFlags.remove(.notes) }
    }

    /// What leads to `object`, or from it to many, is about to change; its row need not be loaded for that.
    func noteLinks(_ object: ManagedObject) {
        check()
        guard !object.state.contains(.detached) else { return }
        editLog?.noteState(of: object)
        if object.state.isDisjoint(with: [.inserted, .updated]) { object.state.insert(.updated) }
        enqueue(object)
        markChanged(object)
    }

    func enqueue(_ object: ManagedObject) {
        guard !object.state.contains(.pending) else { return }
        object.state.insert(.pending)
        if !isAbandoned { pendingChanges.objects.append(object) }
    }

    func markChanged(_ object: ManagedObject) {
        guard !object.state.contains(.modified) else { return }
        object.state.insert(.modified)
        pendingChanges.modified.append(object)
    }

    /// Carries deletions on to the objects around, and tells what has changed.
    ///
    /// It happens by itself before each fetch and save, and at the end of each `perform`.
    public func processPendingChanges() {
        check()
        guard propagateDeletions() else { return }
        guard pendingChanges.needProcessing else { return }
        var told = pendingChanges.unreported
        pendingChanges.unreported = ContextChanges()
        let isObserved = !observers.changes.isEmpty
        var hasVanished = false
        for object in pendingChanges.newObjects where object.state.contains(.new) {
            report(object, isObserved, &told, &hasVanished)
        }
        for object in pendingChanges.modified { report(object, isObserved, &told, &hasVanished) }
        pendingChanges.modified.removeAll(keepingCapacity: true)
        if hasVanished { pendingChanges.objects.removeAll { $0.state.contains(.detached) } }
        pendingChanges.processedCount = pendingChanges.objects.count
        guard isObserved, !told.isEmpty else { return }
        observers.changes.call(self, told)
    }

    /// The change of one object has been seen; the next one is to be noted.
    private func report(
        _ object: ManagedObject, _ isObserved: Bool, _ told: inout ContextChanges, _ hasVanished: inout Bool
    ) {
        if isObserved { tell(object, &told) }
        object.state.subtract([.modified, .new])
        changedInSave?.append(object)
        if object.state.contains([.inserted, .deleted]) {
            // It never was anywhere: it is forgotten.
            discardInserted(object)
            hasVanished = true
        } else if !object.accessFlags.contains(.fault) {
            object.accessFlags.insert(.notes)
        }
    }

    private func tell(_ object: ManagedObject, _ told: inout ContextChanges) {
        let state = object.state
        if state.contains(.deleted) {
            if !state.contains([.inserted, .new]) { told.deleted.insert(object) }
        } else if state.contains([.inserted, .new]) {
            told.inserted.insert(object)
        } else if !state.isDisjoint(with: [.inserted, .updated]) {
            told.updated.insert(object)
        }
    }

    // MARK: Deletions

    /// Carries all deletions on; false if something cannot be read, and they wait until it can.
    ///
    /// Whoever can throw that is told; the others hear of it at the next fetch or save.
    @discardableResult
    func propagateDeletions() -> Bool {
        if pendingChanges.deletions.isEmpty { return true }
        let outer = readFailures.begin()
        defer { readFailures.endKeepingFirst(outer) }
        while !pendingChanges.deletions.isEmpty {
            let round = pendingChanges.deletions
            pendingChanges.deletions = []
            for (place, object) in round.enumerated()
            where object.state.contains(.deleted) && !object.state.contains(.propagated) {
                propagate(object)
                guard readFailures.first == nil else {
                    pendingChanges.deletions = round[place...] + pendingChanges.deletions
                    return false
                }
                // Not before: as long as those around are not told, they still lead to it.
                object.state.insert(.propagated)
            }
        }
        return true
    }

    private func propagate(_ object: ManagedObject) {
        for relationship in object.entity.relationships {
            let slot = relationship.slot
            let rule = relationship.deleteRule
            if rule == .noAction { continue }
            let others = relationship.isToMany ? object.many(slot) : object.one(slot).map { [$0] } ?? []
            for other in others where other !== object {
                if rule == .cascade { delete(other) }
                // Who may veto the deletion still leads here when it is asked.
                if rule == .deny { continue }
                if let inverse = relationship.inverse, !other.state.contains(.deleted) || rule != .cascade {
                    other.forget(object, at: inverse.slot)
                }
            }
        }
    }

    // MARK: Observers

    /// Calls `body` with what has changed each time that pending changes are processed, on the queue of the context.
    public func observeChanges(_ body: @escaping (ManagedObjectContext, ContextChanges) -> Void) -> ContextObservation {
        check()
        let number = observers.next()
        observers.changes[number] = body
        return observation { $0.observers.changes[number] = nil }
    }

    /// Calls `body` before each save; it may still change objects.
    public func observeWillSave(_ body: @escaping (ManagedObjectContext) -> Void) -> ContextObservation {
        check()
        let number = observers.next()
        observers.willSave[number] = body
        return observation { $0.observers.willSave[number] = nil }
    }

    /// Calls `body` after each save with what it was about, also when there was nothing to save.
    public func observeDidSave(_ body: @escaping (ManagedObjectContext, ContextChanges) -> Void) -> ContextObservation {
        check()
        let number = observers.next()
        observers.didSave[number] = body
        return observation { $0.observers.didSave[number] = nil }
    }

    func observation(_ end: @escaping (ManagedObjectContext) -> Void) -> ContextObservation {
        let box = UncheckedTransfer(WeakContext(context: self))
        let ending = UncheckedTransfer(end)
        return ContextObservation { [isolation] in
            if isolation.isCurrent {
                if let context = box.value.context { ending.value(context) }
            } else {
                isolation.async { if let context = box.value.context { ending.value(context) } }
            }
        }
    }
}

/// A context that may have gone.
private final class WeakContext {
    weak var context: ManagedObjectContext?

    init(context: ManagedObjectContext) { self.context = context }
}
