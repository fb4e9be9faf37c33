import TributaryGraph
import TributaryJSON
import TributarySQLite

/// Calling the closure for records, and saving what it has done.
extension ObjectLane {
    /// What records have become depends on which of them was first.
    private struct MustGoInParts: Error {}

    /// Calls the closure for records in the order of the feed and saves what has changed; says whether nothing but objects of
    /// theirs has.
    func apply(
        _ records: [Record], _ numbers: [Int64], isFirst: Bool, _ connection: Connection
    ) throws -> (outcome: Outcome, isAlone: Bool) {
        guard !records.isEmpty else { return (Outcome(), true) }
        guard plan.table.hasOtherConstraints else {
            return try save(records, numbers, isFirst: isFirst, isDivisible: false, connection)
        }
        // A value that must be unique is free or taken by what the records before have done.
        let held = heldSaveCount
        do {
            return try connection.transaction {
                try save(records, numbers, isFirst: isFirst, isDivisible: records.count > 1, connection)
            }
        } catch is MustGoInParts {
        } catch let error as SaveError where error.code == .uniqueness {
            guard records.count > 1 else { return (refused(records[0], error), true) }
        }
        cutHeldSaves(to: held)
        var all = (outcome: Outcome(), isAlone: true)
        let middle = records.count / 2
        for half in [0..<middle, middle..<records.count] {
            let (outcome, isAlone) = try apply(Array(records[half]), Array(numbers[half]), isFirst: false, connection)
            all.outcome.add(outcome)
            all.isAlone = all.isAlone && isAlone
        }
        return all
    }

    private func refused(_ record: Record, _ error: SaveError) -> Outcome {
        let names = error.conflicts.flatMap(\.uniqueProperties).joined(separator: ", ")
        let reason = JSONError(.storeUnique, "a value is there already that must be unique: \(names)")
        var outcome = Outcome()
        outcome.rejects = [record.reject(reason, keepingBytes: keptBytes)]
        return outcome
    }

    /// - Throws: `MustGoInParts` if it `isDivisible` and values that must be unique may have passed from object to object.
    private func save(
        _ records: [Record], _ numbers: [Int64], isFirst: Bool, isDivisible: Bool, _ connection: Connection
    ) throws -> (outcome: Outcome, isAlone: Bool) {
        try store.within(connection) {
            try context.performAndWait { context in
                defer { context.reset() }
                var batch = RecordBatch(plan.key)
                batch.mode = mode
                batch.isFirst = isFirst
                batch.numbers = numbers
                batch.rejectedBytes = keptBytes
                let result = try apply(batch, records, context, connection)
                var outcome = Outcome()
                outcome.inserted = result.inserted
                outcome.updated = result.updated
                outcome.unchanged = result.unchanged
                outcome.duplicate = result.duplicate
                outcome.skipped = result.skipped
                outcome.rejects = result.rejects
                let pending = context.pendingCounts
                if isDivisible, result.distinctObjects.map(context.mayPassUniqueValuesOn(besides:)) ?? true {
                    throw MustGoInParts()
                }
                if pending.inserted + pending.other > 0 { try context.save() }
                return (outcome, pending.other == 0 && pending.inserted == result.inserted)
            }
        }
    }

    /// Calls the closures of a batch.
    ///
    /// - Throws: `LooksAround` if one of them does, and may not.
    private func apply(
        _ batch: RecordBatch, _ records: [Record], _ context: ManagedObjectContext, _ connection: Connection
    ) throws -> BatchResult<ManagedObject> {
        if mayLookAround { return try batch.apply(records, in: context, setter: plan.setter) }
        let watch = StoreWatch(mayRead: false) { true }
        var batch = batch
        batch.isCancelled = { watch.isVoid }
        let result = Result {
            try batch.apply(records, in: context, setter: plan.setter) { setting in
                try store.watched(watch, connection, setting)
            }
        }
        if watch.isVoid { throw LooksAround() }
        return try result.get()
    }
}
