import TributaryStore
import TributaryJSON
import TributarySQLite

/// Writes the records of a route with a setter into their table.
///
/// If possible, an ``ObjectEvaluator`` calls setters ahead that use only their record and object; this class then
/// writes the rows, and applies the deferred records. It applies all other records itself, in feed order.
final class ObjectRouteWriter: RouteWriter {
    let plan: RouteObjects
    private let work: any ObjectWork
    private let reading: ReadOptions
    /// Calls the setter ahead of the thread that writes; nil if this thread does.
    private(set) var evaluator: ObjectEvaluator?

    init(_ plan: RouteObjects, _ work: any ObjectWork, _ options: ImportOptions, run: Int, isAlone: Bool) {
        self.plan = plan
        self.work = work
        reading = options.reading
        super.init(plan.table, mode: options.mode, run: run, isAlone: isAlone)
    }

    /// Without an evaluator, objects are looked up by the index on the thread that writes.
    override var canLoad: Bool { mode != .update && evaluator != nil }

    override func begin(on connection: Connection) throws { work.bufferSaves() }

    /// What announces the saves of the group after its commit; nil if there are none.
    func takeSaves() -> (@Sendable () -> Void)? { work.takeSaves() }

    /// Calls the setter for records in feed order, and saves the changed objects.
    ///
    /// - Throws: `ImportError` if a setter used more than its scope allows; errors of the store.
    func apply(_ records: [Record], _ numbers: RowNumbers, on connection: Connection) throws -> ObjectOutcome {
        records.isEmpty ? ObjectOutcome() : try work.apply(records, numbers, on: connection)
    }

    // MARK: Ahead

    /// Makes an evaluator if objects of the table are plain rows and only this route writes them.
    func makeEvaluator() {
        guard isAlone, plan.table.kinds == nil, !plan.table.hasOtherConstraints else { return }
        evaluator = ObjectEvaluator(work)
    }

    /// Sets how the evaluator looks up objects.
    func setStrategy() { evaluator?.strategy = load.map { .loading($0.filter) } ?? .lookingUp }

    /// Writes the evaluated records of several chunks.
    func write(_ parts: [PreparedChunk.Part], firsts: [Int64], on connection: Connection) throws -> BulkOutcome {
        try writer(on: connection).write(
            parts.compactMap(\.rows), parts.compactMap(\.comparison), firstKeys: firsts, ofObjects: true)
    }

    /// Applies deferred records, or holds them back during a load.
    ///
    /// - Returns: The outcome of the applied records.
    /// - Throws: Errors of the store.
    func write(deferred: [DeferredRecord], first: Int64, on connection: Connection) throws -> ObjectOutcome {
        guard load != nil else {
            return try apply(
                deferred.map(\.record), .reserved(deferred.map { first + Int64($0.ordinal) }), on: connection)
        }
        for one in deferred {
            try HeldBackRecord.insert(
                one.record, hash: one.hash, primaryKey: first + Int64(one.ordinal), table: plan.table.name, run: run,
                on: connection)
        }
        return ObjectOutcome()
    }

    /// Applies the next held-back records; nil if there are none.
    func applyHeldBack(_ limit: Int, bytes: Int, on connection: Connection) throws -> ObjectOutcome? {
        let held = try HeldBackRecord.removeNext(limit, bytes: bytes, of: plan.table.name, run: run, on: connection)
        guard !held.isEmpty else { return nil }
        var outcome = ObjectOutcome()
        try HeldBackRecord.read(held, reading) { records, slice in
            let applied = try apply(records, .reserved(slice.map(\.primaryKey)), on: connection)
            outcome.counts += applied.counts
            outcome.seenKeys += applied.seenKeys
            outcome.rejects += applied.rejects.map { reject in
                guard let index = records.firstIndex(where: { $0.number == reject.error.record }) else { return reject }
                return slice[slice.startIndex + index]
                    .reject(reject, of: records[index], keepingBytes: reading.limits.rejectedBytes)
            }
        }
        return outcome
    }
}
