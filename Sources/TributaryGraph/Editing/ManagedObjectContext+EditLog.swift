extension ManagedObjectContext {
    /// Undoes all steps from `mark` on, the last one first.
    func undo(_ editLog: EditLog, to mark: Int) {
        var returning: [ManagedObject] = []
        while editLog.steps.count > mark, let step = editLog.steps.popLast() {
            switch step {
            case .inserted(let object): undoInsertion(of: object)
            case .state(let object, let state): restore(object, state, &returning)
            case .image(let object, let row, let hadCommitted):
                restoreValues(of: object, from: row, hadCommitted: hadCommitted)
                row?.deallocate()
                pendingChanges.recordKeys(of: object)
            case .added(let many, let object): many.remove(object)
            case .removed(let many, let object, let positions): many.restore(object, to: positions)
            case .arranged(let many, let before): many.arrange(before)
            }
        }
        // The edit has appended its objects at the end.
        pendingChanges.removeUndone()
        for object in returning {
            object.state.insert(.pending)
            pendingChanges.objects.append(object)
            pendingChanges.recordKeys(of: object)
        }
    }

    private func undoInsertion(of object: ManagedObject) {
        let wasReported = !object.state.contains(.new) && !observers.changes.isEmpty
        if !object.state.contains(.detached) { discardInserted(object) }
        if wasReported { pendingChanges.unreported.deleted.insert(object) }
    }

    private func restore(
        _ object: ManagedObject, _ state: ManagedObject.State, _ returning: inout [ManagedObject]
    ) {
        let isBack = object.state.contains(.detached) && !state.contains(.detached)
        // Changes that observers were notified of since then stay reported.
        let reportFlags: ManagedObject.State = [.modified, .new]
        object.state = state.subtracting(reportFlags.subtracting(object.state))
        object.state.subtract([.logged, .valuesLogged])
        if isBack {
            removalCount += 1
            object.state.remove(.pending)
            returning.append(object)
            if let registry = object.registry { makeFindable(object, registry) }
            temporaryKeys.discarded.remove(RowKey(object.entity.root, object.key))
        }
        if !object.accessFlags.contains(.fault) { object.accessFlags = .reportsChange }
        if !observers.changes.isEmpty { pendingChanges.unreported.refreshed.insert(object) }
    }

    private func restoreValues(of object: ManagedObject, from image: Row?, hadCommitted: Bool) {
        guard let values = image ?? object.committed else { return }
        // A detached object has lost its relationships.
        let slots = object.state.contains(.detached) ? Array(0..<object.row.count) : object.valueSlots
        for slot in slots { object.row.assign(values, slot) }
        if !hadCommitted { object.forgetCommitted() }
    }
}
