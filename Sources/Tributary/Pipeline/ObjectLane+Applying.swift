import TributaryGraph
import TributaryJSON
import TributarySQLite

/// Calling the closure for records, and saving what it has done.
extension ObjectLane {
    /// What records have become depends on which of them was first.
    private struct MustGoInParts: Error {}

    /// What calling closures has come to.
    struct Applied {
        var outcome = Outcome()
        /// Whether nothing but new objects of the records has been saved.
        var isAlone = true
        /// Whether objects besides those of the records have changed; told only if somebody watches.
        var reachesFurther = false
    }

    /// Calls the closure for records in the order of the feed and saves what has changed.
    ///
    /// - Parameters:
    ///   - records: Some of a chunk.
    ///   - numbers: Those that their objects get.
    ///   - isFirst: Whether their keys are new, as the table was empty.
    ///   - connection: The one that writes.
    ///   - watch: Sees what else closures read and write.
    /// - Returns: What has become of them.
    /// - Throws: `LooksAround` if a closure does that where it may not, what reading or writing the store throws.
    func apply(
        _ records: [Record], _ numbers: [Int64], isFirst: Bool, _ connection: Connection, watch: StoreWatch? = nil
    ) throws -> Applied {
        guard !records.isEmpty else { return Applied() }
        guard plan.table.hasOtherConstraints else {
            return try save(records, numbers, isFirst: isFirst, isDivisible: false, connection, watch)
        }
        // A value that must be unique is free or taken by what the records before have done.
        let held = heldSaveCount
        do {
            return try connection.transaction {
                try save(records, numbers, isFirst: isFirst, isDivisible: records.count > 1, connection, watch)
            }
        } catch is MustGoInParts {
        } catch let error as SaveError where error.code == .uniqueness {
            guard records.count > 1 else { return Applied(outcome: refused(records[0], error)) }
        }
        cutHeldSaves(to: held)
        var all = Applied()
        let middle = records.count / 2
        for half in [0..<middle, middle..<records.count] {
            let applied = try apply(
                Array(records[half]), Array(numbers[half]), isFirst: false, connection, watch: watch)
            all.outcome.add(applied.outcome)
            all.isAlone = all.isAlone && applied.isAlone
            all.reachesFurther = all.reachesFurther || applied.reachesFurther
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
        _ records: [Record], _ numbers: [Int64], isFirst: Bool, isDivisible: Bool, _ connection: Connection,
        _ watch: StoreWatch?
    ) throws -> Applied {
        try context.performAndWait { context in
            try store.within(connection, keeper: context) {
                defer { context.reset() }
                var batch = RecordBatch(plan.key)
                batch.mode = mode
                batch.isFirst = isFirst
                batch.numbers = numbers
                batch.rejectedBytes = keptBytes
                let result = try apply(batch, records, context, connection, watch)
                let pending = context.pendingCounts
                var applied = Applied(
                    outcome: Outcome(result), isAlone: pending.other == 0 && pending.inserted == result.inserted)
                if isDivisible, result.distinctObjects.map(context.mayPassUniqueValuesOn(besides:)) ?? true {
                    throw MustGoInParts()
                }
                let held = context.heldSaveCount
                if pending.inserted + pending.other > 0 { try context.save() }
                if let watch {
                    let own = result.objects.lazy.compactMap { $0 }
                    applied.reachesFurther = watch.hasWritten || context.heldSaves(behind: held, tellOfMoreThan: own)
                }
                return applied
            }
        }
    }

    /// Calls the closures of a batch.
    ///
    /// - Throws: `LooksAround` if one of them does, and may not.
    private func apply(
        _ batch: RecordBatch, _ records: [Record], _ context: ManagedObjectContext, _ connection: Connection,
        _ watch: StoreWatch?
    ) throws -> BatchResult<ManagedObject> {
        guard let watch = mayLookAround ? watch : StoreWatch(mayRead: false, { true }) else {
            return try batch.apply(records, in: context, setter: plan.setter)
        }
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

extension ObjectLane.Outcome {
    fileprivate init(_ result: BatchResult<ManagedObject>) {
        inserted = result.inserted
        updated = result.updated
        unchanged = result.unchanged
        duplicate = result.duplicate
        skipped = result.skipped
        rejects = result.rejects
    }
}
