import TributaryGraph
import TributaryImport
import TributaryJSON

extension RecordBatch {
    /// Inserts the objects of records in feed order, each of which becomes a row before the next one is made.
    ///
    /// No object has one of the keys yet, and no two records share one. A setter uses no more than `access` allows. If
    /// `stopsAtReject`, nothing is inserted after a reject.
    func insert(
        _ records: KeyedRecords, as rows: inout ChangedRows, _ access: StoreAccess, stopsAtReject: Bool,
        in context: ManagedObjectContext, setter: @escaping Setter
    ) throws -> ObjectOutcome {
        try context.checkIsPrivate()
        try checkEntity()
        // A constant, as each call would copy a captured variable.
        let keys = SortedKeys(key.attributes, distinct: records.keys)
        var outcome = ObjectOutcome()
        func reject(_ record: Record, _ error: JSONError) {
            outcome.rejects.append(record.reject(error, keepingBytes: rejectedBytes))
        }
        try edit(keys, setter, in: context) { run in
            for (index, record) in records.records.enumerated() {
                if stopsAtReject, !outcome.rejects.isEmpty { return }
                guard keys.group[index] >= 0 else {
                    reject(record, key.failure(of: record))
                    continue
                }
                let insertion: ObjectEditor.Insertion
                do {
                    insertion = try run.editor.insert(
                        keys, index, ordinal: records.ordinals[index], as: &rows, access
                    ) { object in
                        record.clearFailure()
                        try setter(record, object)
                        try record.checkFailure()
                    }
                } catch is StoreAccess.Refusal {
                    throw ImportError.setterNeedsContext(key.entity, record, access.scope)
                }
                switch insertion {
                case .saved: outcome.counts.inserted += 1
                case .keyChanged: reject(record, keyChanged(key.entity))
                case .invalid(let faults): reject(record, RecordBatch.refusal(faults))
                case .failed(let error):
                    guard let refusal = RecordBatch.refusal(error) else { throw error }
                    reject(record, record.failure ?? refusal)
                }
            }
        }
        return outcome
    }
}
