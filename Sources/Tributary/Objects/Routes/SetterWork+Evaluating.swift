import TributaryConcurrency
import TributaryGraph
import TributaryImport
import TributarySQLite

/// Calling the setter ahead of the thread that writes.
extension SetterWork {
    func evaluate(
        _ records: KeyedRecords, isFirst: Bool, repeatsKeys: Bool, reader: Connection
    ) throws -> ObjectEvaluation {
        let holder = idle.withLock { $0.popLast() } ?? makeContext()
        defer { idle.withLock { $0.append(holder) } }
        return try holder.performAndWait { context in
            defer { context.reset() }
            let access = StoreAccess(.object)
            return try settings.store.within(reader, limit: access) {
                var batch = makeBatch(access)
                batch.isFirst = isFirst
                return isFirst && !repeatsKeys
                    ? try insert(records, batch, context, access) : try change(records, batch, context, access)
            }
        }
    }

    /// Makes the object of each record, and then its row, before that of the next record.
    private func insert(
        _ records: KeyedRecords, _ batch: RecordBatch, _ context: ManagedObjectContext, _ access: StoreAccess
    ) throws -> ObjectEvaluation {
        var saved = ChangedRows(of: objects.table, room: records.records.count)
        let result = try batch.insert(
            records, as: &saved, access, stopsAtReject: settings.stopsAtReject, in: context,
            setter: setter.closure(in: context))
        var comparison = saved.comparison
        comparison.outcome.counts = result.counts
        return (saved.rows, comparison, result.rejects)
    }

    /// Finds or makes the objects of all records, and then the rows of those that have changed.
    private func change(
        _ records: KeyedRecords, _ batch: RecordBatch, _ context: ManagedObjectContext, _ access: StoreAccess
    ) throws -> ObjectEvaluation {
        var saved = ChangedRows(of: objects.table, room: batch.isFirst ? records.records.count : 0)
        let result = try batch.apply(
            records.records, keys: records.keys, in: context, setter: setter.closure(in: context))
        // Nothing is written of a chunk whose reject ends the import.
        if !settings.stopsAtReject || result.rejects.isEmpty {
            do {
                try save(result, records.ordinals, context, access, to: &saved)
            } catch is StoreAccess.Refusal {
                throw violation(access, records.records, result)
            }
        }
        var comparison = saved.comparison
        comparison.outcome.counts = result.counts
        // Rejects are counted when they are recorded.
        comparison.outcome.counts.rejected = 0
        comparison.outcome.seenKeys = result.seenKeys
        return (saved.rows, comparison, result.rejects)
    }

    /// Saves the objects of records with these ordinals as rows.
    private func save(
        _ result: BatchResult<ManagedObject>, _ ordinals: [Int], _ context: ManagedObjectContext,
        _ access: StoreAccess, to saved: inout ChangedRows
    ) throws {
        var next = 0
        try context.saveRows(of: objects.table, to: &saved, access) { object in
            while next < ordinals.count, result.outcomes[next] != .inserted { next += 1 }
            guard next < ordinals.count, result.objects[next] === object else { return nil }
            defer { next += 1 }
            return ordinals[next]
        }
    }
}
