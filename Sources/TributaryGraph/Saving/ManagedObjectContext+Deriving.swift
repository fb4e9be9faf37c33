/// Attributes that are computed when an object is saved.
extension ManagedObjectContext {
    /// Computes the derived attributes of the objects that have changed.
    ///
    /// - Throws: `FilterError` if one cannot be computed, `AttributeError` if its value does not fit.
    func derive(_ changed: [ManagedObject]) throws {
        guard homes.contains(where: { $0.derived != nil }) else { return }
        for object in changed where object.state.isDisjoint(with: [.deleted, .detached]) {
            guard let derived = object.home?.derived else { continue }
            if object.gate.contains(.fault) { load(object) }
            try derived.update(object) { attribute, value in
                let trial = Row.allocate(object.row.count)
                defer { trial.deallocate() }
                try attribute.write(value, to: trial)
                guard !trial.isEqual(object.row, attribute.slot) else { return }
                // What is computed from something that cannot be read is wrong.
                try checkReads()
                if !object.gate.isEmpty { object.willChange() }
                object.row.assign(trial, attribute.slot)
            }
        }
    }
}
