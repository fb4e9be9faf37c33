/// Taking back what a editLog has noted.
extension ManagedObjectContext {
    /// Takes back all steps from `mark` on, the last one first.
    func takeBack(_ editLog: EditLog, to mark: Int) {
        var returning: [ManagedObject] = []
        while editLog.steps.count > mark, let step = editLog.popLast() {
            switch step {
            case .inserted(let object): takeBackInsertion(of: object)
            case .state(let object, let state): restore(object, state, &returning)
            case .image(let object, let row, let hadCommitted):
                restoreValues(of: object, from: row, hadCommitted: hadCommitted)
                row?.deallocate()
            case .added(let many, let object): many.remove(object)
            case .removed(let many, let object, let places): many.restore(object, to: places)
            case .moved(let many, let source, let target): many.move(from: target, to: source)
            }
        }
        // What the edit has listed stands at the end.
        pendingChanges.removeUndone()
        for object in returning {
            object.state.insert(.pending)
            pendingChanges.objects.append(object)
        }
    }

    private func takeBackInsertion(of object: ManagedObject) {
        let wasTold = !object.state.contains(.new) && !observers.changes.isEmpty
        if !object.state.contains(.detached) { discardInserted(object) }
        if wasTold { pendingChanges.unreported.deleted.insert(object) }
    }

    /// Gives an object its place between context and store again.
    private func restore(
        _ object: ManagedObject, _ state: ManagedObject.State, _ returning: inout [ManagedObject]
    ) {
        let isBack = object.state.contains(.detached) && !state.contains(.detached)
        // What was told meanwhile stays told.
        let told: ManagedObject.State = [.modified, .new]
        object.state = state.subtracting(told.subtracting(object.state))
        object.state.subtract([.logged, .valuesLogged])
        if isBack {
            object.state.remove(.pending)
            returning.append(object)
            if object.key > 0 {
                object.registry?.map.insert(object)
            } else {
                temporaryKeys.objects?[object.key] = object
            }
            temporaryKeys.discarded.remove(RowKey(object.entity.root, object.key))
        }
        if !object.accessFlags.contains(.fault) { object.accessFlags = .notes }
        if !observers.changes.isEmpty { pendingChanges.unreported.refreshed.insert(object) }
    }

    private func restoreValues(of object: ManagedObject, from image: Row?, hadCommitted: Bool) {
        guard let values = image ?? object.committed else { return }
        // One that has vanished has lost what it leads to.
        let isGone = object.state.contains(.detached)
        for property in object.entity.properties where isGone || !(property.relationship?.isToMany ?? false) {
            object.row.assign(values, property.slot)
        }
        if !hadCommitted {
            object.committed?.deallocate()
            object.committed = nil
        }
    }
}
