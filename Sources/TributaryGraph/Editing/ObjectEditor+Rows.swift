/// Inserting objects that become rows one by one.
extension ObjectEditor {
    /// What became of a new object; unless it was saved, nothing of it is left.
    package enum Insertion {
        /// It is a row.
        case saved
        /// Its setter has changed its key.
        case keyChanged
        /// It violates these rules.
        case invalid([ValidationError])
        /// Its setter has thrown an error.
        case failed(any Error)
    }

    /// Inserts an object with the unique key of a record, and saves it as a row, in one edit.
    ///
    /// The memory of the object, of its row and of its texts serves the next object, unless the program has kept a
    /// reference: that object stays as it was saved. It is validated once, and again only if a hook changes it.
    ///
    /// - Throws: `StoreAccess.Refusal` if its setter or a hook uses more than the attributes of the object; `SaveError`
    ///   if hooks make it invalid, or never stop changing it.
    package func insert(
        _ keys: SortedKeys, _ record: Int, ordinal: Int, as rows: inout ChangedRows, _ access: StoreAccess,
        setter: (ManagedObject) throws -> Void
    ) throws -> Insertion {
        begin()
        let object = make(keys, record, number: nil)
        do {
            try setter(object)
        } catch {
            try confine(object, access)
            undo()
            return .failed(error)
        }
        try confine(object, access)
        guard hasKey(object, keys, record) else {
            undo()
            return .keyChanged
        }
        watch(object)
        let faults = faults(of: object)
        try confine(object, access)
        guard faults.isEmpty else {
            undo()
            return .invalid(faults)
        }
        // A validation may change the object as well.
        let isChanged = object.state.contains(.modified)
        if try prepare(object, access) || isChanged {
            let faults = self.faults(of: object)
            try confine(object, access)
            if !faults.isEmpty { throw SaveError(.validation, faults: faults) }
            guard hasKey(object, keys, record) else {
                undo()
                return .keyChanged
            }
        }
        rows.add(object.row, ordinal: ordinal)
        finishSaving(object)
        try access.check()
        return .saved
    }

    /// - Throws: `StoreAccess.Refusal` if the edit concerns more than the attributes of a new object.
    private func confine(_ object: ManagedObject, _ access: StoreAccess) throws {
        if !isPlainInsertion || !object.hasOnlyAttributeChanges { access.violate() }
        guard access.isViolated else { return }
        undo()
        try access.check()
    }

    /// Lets changes of a new object be seen from now on.
    private func watch(_ object: ManagedObject) {
        object.state.subtract([.modified, .new])
        object.accessFlags.insert(.reportsChange)
        context.pendingChanges.modified.removeAll(keepingCapacity: true)
    }

    private func faults(of object: ManagedObject) -> [ValidationError] {
        var faults: [ValidationError] = []
        registry.validator.check(object, &faults)
        return faults
    }

    /// Calls `willSave` until it changes nothing, and derives attributes; returns whether the object may have changed.
    private func prepare(_ object: ManagedObject, _ access: StoreAccess) throws -> Bool {
        var passes = 0
        repeat {
            guard passes < ManagedObjectContext.willSavePasses else { throw ManagedObjectContext.unstable([object]) }
            passes += 1
            watch(object)
            object.willSave()
            try confine(object, access)
        } while object.state.contains(.modified)
        guard let derived = registry.derived else { return passes > 1 }
        try context.derive(object, by: derived)
        try confine(object, access)
        return passes > 1 || object.state.contains(.modified)
    }

    /// Gives a new object that was saved the state of one without changes; changes of its `didSave` are discarded.
    private func finishSaving(_ object: ManagedObject) {
        // The insertion is the only step, and the object the only pending one.
        editLog.steps.removeLast()
        context.pendingChanges.objects.removeLast()
        context.pendingChanges.modified.removeAll(keepingCapacity: true)
        object.state = []
        object.accessFlags = .reportsChange
        object.version = 1
        object.didSave()
        if context.pendingChanges.needProcessing || editLog.steps.count > mark {
            context.undo(editLog, to: mark)
        }
    }
}
