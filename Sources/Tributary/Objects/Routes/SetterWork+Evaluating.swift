import TributaryConcurrency
import TributaryGraph
import TributaryImport
import TributaryJSON
import TributarySQLite

/// Calling the setter ahead of the thread that writes.
extension SetterWork {
    func evaluate(
        _ records: [Record], ordinals: [Int], isFirst: Bool, atOnce: Bool, reader: Connection
    ) throws -> ObjectEvaluation {
        // Objects that must be looked up are looked up together.
        let length = isFirst && !atOnce ? SetterWork.sliceLength : max(1, records.count)
        let holder = idle.withLock { $0.popLast() } ?? makeContext()
        defer { idle.withLock { $0.append(holder) } }
        return try holder.performAndWait { context in
            defer { context.reset() }
            let access = StoreAccess(.object)
            return try settings.store.within(reader, limit: access) {
                try evaluate(records, ordinals, isFirst: isFirst, by: length, context, access)
            }
        }
    }

    /// How many records of a load are objects at a time: their memory fits into the cache of the processor.
    private static let sliceLength = 500

    private func evaluate(
        _ records: [Record], _ ordinals: [Int], isFirst: Bool, by length: Int, _ context: ManagedObjectContext,
        _ access: StoreAccess
    ) throws -> ObjectEvaluation {
        var saved = ChangedRows(of: objects.table, room: isFirst ? records.count : 0)
        var outcome = BulkOutcome()
        var rejects: [Reject] = []
        var batch = makeBatch(access)
        batch.isFirst = isFirst
        let setter = setter.closure(in: context)
        for start in stride(from: 0, to: records.count, by: length) {
            let slice = start..<min(start + length, records.count)
            let result = try batch.apply(records[slice], in: context, setter: setter)
            outcome.counts += result.counts
            outcome.seenKeys += result.seenKeys
            // Rejects are counted when they are recorded.
            outcome.counts.rejected = 0
            rejects += result.rejects
            // Nothing is written of a chunk whose reject ends the import.
            if settings.stopsAtReject, !rejects.isEmpty { break }
            do {
                try save(result, ordinals[slice], context, access, to: &saved)
            } catch is StoreAccess.Refusal {
                throw violation(access, records[slice], result)
            }
            if slice.upperBound < records.count { context.reset() }
        }
        var comparison = saved.comparison
        comparison.outcome = outcome
        return (saved.rows, comparison, rejects)
    }

    /// Saves the objects of records with these ordinals as rows.
    private func save(
        _ result: BatchResult<ManagedObject>, _ ordinals: ArraySlice<Int>, _ context: ManagedObjectContext,
        _ access: StoreAccess, to saved: inout ChangedRows
    ) throws {
        var next = 0
        try context.saveRows(of: objects.table, to: &saved, access) { object in
            while next < ordinals.count, result.outcomes[next] != .inserted { next += 1 }
            guard next < ordinals.count, result.objects[next] === object else { return nil }
            defer { next += 1 }
            return ordinals[ordinals.startIndex + next]
        }
    }
}
