/// What has changed, and what follows from it.
extension ManagedObjectContext {
    /// A value of `object` is about to change.
    func note(_ object: ManagedObject) {
        check()
        guard !object.state.contains(.detached) else { return }
        trail?.noteValues(of: object)
        if object.committed == nil, !object.state.contains(.inserted) {
            object.committed = object.row.copy()
        }
        if object.state.isDisjoint(with: [.inserted, .updated]) { object.state.insert(.updated) }
        list(object)
        touch(object)
        // Where something is computed, each change must be looked at.
        if object.home?.derived == nil { object.gate.remove(.notes) }
    }

    /// What leads to `object`, or from it to many, is about to change; its row need not be loaded for that.
    func noteLinks(_ object: ManagedObject) {
        check()
        guard !object.state.contains(.detached) else { return }
        trail?.noteState(of: object)
        if object.state.isDisjoint(with: [.inserted, .updated]) { object.state.insert(.updated) }
        list(object)
        touch(object)
    }

    func list(_ object: ManagedObject) {
        guard !object.state.contains(.listed) else { return }
        object.state.insert(.listed)
        if !isAbandoned { pending.append(object) }
    }

    func touch(_ object: ManagedObject) {
        guard !object.state.contains(.touched) else { return }
        object.state.insert(.touched)
        touched.append(object)
    }

    /// Carries deletions on to the objects around, and tells what has changed.
    ///
    /// It happens by itself before each fetch and save, and at the end of each `perform`.
    public func processPendingChanges() {
        check()
        guard propagateDeletions() else { return }
        guard !touched.isEmpty || !changes.isEmpty || processedCount < pending.count else { return }
        var told = changes
        changes = ContextChanges()
        let isObserved = !changeObservers.isEmpty
        var hasVanished = false
        for object in pending[min(processedCount, pending.count)...] where object.state.contains(.fresh) {
            settle(object, isObserved, &told, &hasVanished)
        }
        for object in touched { settle(object, isObserved, &told, &hasVanished) }
        touched.removeAll(keepingCapacity: true)
        if hasVanished { pending.removeAll { $0.state.contains(.detached) } }
        processedCount = pending.count
        guard isObserved, !told.isEmpty else { return }
        for observer in changeObservers.sorted(by: { $0.key < $1.key }) { observer.value(self, told) }
    }

    /// The change of one object has been seen; the next one is to be noted.
    private func settle(
        _ object: ManagedObject, _ isObserved: Bool, _ told: inout ContextChanges, _ hasVanished: inout Bool
    ) {
        if isObserved { tell(object, &told) }
        object.state.subtract([.touched, .fresh])
        changedInSave?.append(object)
        if object.state.contains([.inserted, .deleted]) {
            // It never was anywhere: it is forgotten.
            vanish(object)
            hasVanished = true
        } else if !object.gate.contains(.fault) {
            object.gate.insert(.notes)
        }
    }

    private func tell(_ object: ManagedObject, _ told: inout ContextChanges) {
        let state = object.state
        if state.contains(.deleted) {
            if !state.contains([.inserted, .fresh]) { told.deleted.insert(object) }
        } else if state.contains([.inserted, .fresh]) {
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
        if deletions.isEmpty { return true }
        let outer = readFailure
        readFailure = nil
        catchers += 1
        defer {
            catchers -= 1
            readFailure = outer ?? (catchers > 0 ? readFailure : nil)
        }
        while !deletions.isEmpty {
            let round = deletions
            deletions = []
            for (place, object) in round.enumerated()
            where object.state.contains(.deleted) && !object.state.contains(.propagated) {
                propagate(object)
                guard readFailure == nil else {
                    deletions = round[place...] + deletions
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
        let number = nextObserver()
        changeObservers[number] = body
        return observation { $0.changeObservers[number] = nil }
    }

    /// Calls `body` before each save; it may still change objects.
    public func observeWillSave(_ body: @escaping (ManagedObjectContext) -> Void) -> ContextObservation {
        check()
        let number = nextObserver()
        willSaveObservers[number] = body
        return observation { $0.willSaveObservers[number] = nil }
    }

    /// Calls `body` after each save with what it was about, also when there was nothing to save.
    public func observeDidSave(_ body: @escaping (ManagedObjectContext, ContextChanges) -> Void) -> ContextObservation {
        check()
        let number = nextObserver()
        didSaveObservers[number] = body
        return observation { $0.didSaveObservers[number] = nil }
    }

    func observation(_ end: @escaping (ManagedObjectContext) -> Void) -> ContextObservation {
        let box = Handed(WeakContext(context: self))
        let ending = Handed(end)
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
