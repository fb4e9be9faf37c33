/// Attributes that are computed when an object is saved.
extension ManagedObjectContext {
    func derive(_ changed: [ManagedObject]) throws {
        guard registries.contains(where: { $0.derived != nil }) else { return }
        let access = StoreSession.access(to: stores)
        for object in changed where object.state.isDisjoint(with: [.deleted, .detached]) {
            guard let derived = object.registry?.derived else { continue }
            if object.accessFlags.contains(.fault) { load(object) }
            // Recorded even if a read error is thrown below, so that the hook that caused it is named.
            defer { access?.recordHook(of: object) }
            try derive(object, by: derived)
            try access?.checkHook(of: object)
        }
    }

    /// Computes the derived attributes of an object, whose values are loaded.
    func derive(_ object: ManagedObject, by derived: DerivedAttributes) throws {
        try derived.update(object) { attribute, value in
            let trial = OwnedRow(Row.allocate(object.row.count))
            try attribute.write(value, to: trial.row)
            guard !trial.row.isEqual(object.row, attribute.slot) else { return }
            // A value computed from a property that cannot be read is wrong.
            try checkReads()
            if !object.accessFlags.isEmpty { object.willChange() }
            object.row.assign(trial.row, attribute.slot)
        }
    }
}
