/// Taking back what a trail has noted.
extension ManagedObjectContext {
    /// Takes back all steps from `mark` on, the last one first.
    func takeBack(_ trail: ChangeTrail, to mark: Int) {
        var returning: [ManagedObject] = []
        while trail.steps.count > mark, let step = trail.popLast() {
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
        while let last = pending.last, !last.state.contains(.listed) { pending.removeLast() }
        processedCount = min(processedCount, pending.count)
        while let last = touched.last, !last.state.contains(.touched) { touched.removeLast() }
        if !deletions.isEmpty { deletions.removeAll { !$0.state.contains(.deleted) } }
        for object in returning {
            object.state.insert(.listed)
            pending.append(object)
        }
    }

    private func takeBackInsertion(of object: ManagedObject) {
        let wasTold = !object.state.contains(.fresh) && !changeObservers.isEmpty
        if !object.state.contains(.detached) { vanish(object) }
        if wasTold { changes.deleted.insert(object) }
    }

    /// Gives an object its place between context and store again.
    private func restore(
        _ object: ManagedObject, _ state: ManagedObject.State, _ returning: inout [ManagedObject]
    ) {
        let isBack = object.state.contains(.detached) && !state.contains(.detached)
        // What was told meanwhile stays told.
        let told: ManagedObject.State = [.touched, .fresh]
        object.state = state.subtracting(told.subtracting(object.state))
        object.state.subtract([.trailed, .imaged])
        if isBack {
            object.state.remove(.listed)
            returning.append(object)
            if object.key > 0 {
                object.home?.map.insert(object)
            } else {
                temporaries?[object.key] = object
            }
            givenUp.remove(RowKey(object.entity.root, object.key))
        }
        if !object.gate.contains(.fault) { object.gate = .notes }
        if !changeObservers.isEmpty { changes.refreshed.insert(object) }
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
