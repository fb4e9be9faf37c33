import TributaryStore

/// Objects that their tables refuse, whose objects without a key are not written either.
extension RelatedWriter {
    /// Thrown to write a group again without what is inside of some objects.
    struct RefusedOwners: Error {
        /// Why they are refused; nil for objects that are skipped.
        let faults: [(place: ObjectPlace, fault: BulkOutcome.Fault?)]
    }

    /// Throws `RefusedOwners` if tables have refused objects that had their place, and are not known yet.
    ///
    /// The keys are those of each unit, chunk and row before they were written.
    func checkOwners(_ group: Group, _ keys: [[[Int64]]], _ written: [BulkOutcome]) throws {
        var faults: [(place: ObjectPlace, fault: BulkOutcome.Fault?)] = []
        func note(_ unit: Int, _ chunk: Int, _ row: Int, _ fault: BulkOutcome.Fault?) {
            guard row >= 0, keys[unit][chunk][row] > 0 else { return }
            let place = ObjectPlace(chunk, unit: unit, row: row)
            if !group.refused.contains(place) { faults.append((place, fault)) }
        }
        for unit in plan.units.indices {
            for refusal in written[unit].refused { note(unit, refusal.batch, refusal.row, refusal.fault) }
            guard writers[unit].hasTriggers, mode != .ignore, mode != .insert else { continue }
            for (chunk, outcomes) in group.resolved[unit].outcomes.enumerated() {
                for (row, outcome) in outcomes.enumerated() where outcome == .skipped { note(unit, chunk, row, nil) }
            }
        }
        if !faults.isEmpty { throw RefusedOwners(faults: faults) }
    }
}
