import TributaryGraph
import TributaryImport
import TributaryJSON
import TributarySQLite

/// Calling the setter on the thread that writes.
extension SetterWork {
    /// Calls the setter for records in feed order, and saves the changed objects.
    ///
    /// Each record is saved by itself if the setter takes the context, because it may fetch the changes of earlier
    /// records, and if there are other uniqueness constraints or triggers, because only the refused record is rejected.
    func apply(_ records: [Record], _ numbers: RowNumbers, on connection: Connection) throws -> ObjectOutcome {
        let access = StoreAccess(setter.scope)
        return try context.performAndWait { context in
            try settings.store.within(connection, limit: access) {
                defer { context.reset() }
                var batch = makeBatch(access)
                batch.numbers = numbers
                let savesEach = setter.takesContext || objects.table.hasOtherConstraints || settings.hasTriggers
                if savesEach { batch.save = { try saveRecord(context, access, connection) } }
                let result = try batch.apply(records, in: context, setter: setter.closure(in: context))
                do {
                    if !savesEach { try context.save() }
                    try access.check()
                } catch is StoreAccess.Refusal {
                    throw violation(access, records, result)
                }
                var seen = result.seenKeys
                if settings.keepsSeenKeys { seen += result.objects.compactMap { $0?.storedKey } }
                return ObjectOutcome(counts: result.counts, rejects: result.rejects, seenKeys: seen)
            }
        }
    }

    /// Saves the changes of one record; returns why it is rejected, or nil.
    private func saveRecord(
        _ context: ManagedObjectContext, _ access: StoreAccess, _ connection: Connection
    ) throws -> JSONError? {
        guard context.hasChanges else { return nil }
        do {
            try context.save()
            try access.check()
            return nil
        } catch let error as SaveError {
            guard let refusal = RecordBatch.refusal(error) else { throw error }
            context.rollback()
            return refusal
        } catch let error as SQLiteError where settings.hasTriggers && error.isRefusal {
            guard connection.isInTransaction else {
                throw connection.rolledBack(byTriggerOf: objects.table.name, error)
            }
            context.rollback()
            return BulkOutcome.Fault.violated(error.message).error
        }
    }
}
