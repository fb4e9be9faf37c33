import TributaryGraph
import TributaryJSON
import TributarySQLite

/// Writes the records of a route with a setter into their table.
///
/// If possible, an ``ObjectEvaluator`` calls setters ahead that use only their record and object; this class then
/// writes the rows, and applies the deferred records. It applies all other records itself, in feed order.
final class ObjectRouteWriter: RouteWriter {
    /// The outcome of records.
    struct Outcome: Sendable {
        var counts = RecordCounts()
        var rejects: [Reject] = []
        /// The primary keys of objects that were found or made, if they are wanted.
        var seenKeys: [Int64] = []
    }

    let plan: ImportPlan.Objects
    let store: SQLiteStore
    let context: PrivateContext
    private let reading: ReadOptions
    var rejectedBytes: Int { reading.limits.rejectedBytes }
    /// Calls the setter ahead of the thread that writes; nil if this thread does.
    private(set) var evaluator: ObjectEvaluator?

    init(
        _ plan: ImportPlan.Objects, _ store: SQLiteStore, _ context: PrivateContext, _ options: ImportOptions, run: Int,
        isAlone: Bool
    ) {
        self.plan = plan
        self.store = store
        self.context = context
        reading = options.reading
        super.init(plan.table, mode: options.mode, run: run, isAlone: isAlone)
    }

    /// Without an evaluator, objects are looked up by the index on the thread that writes.
    override var canLoad: Bool { mode != .update && evaluator != nil }

    override func begin(on connection: Connection) throws {
        context.performAndWait { $0.bufferSaves() }
    }

    /// The saves of the group, to be announced after its commit.
    func takeSaves() -> SavedChanges? { context.performAndWait { $0.takeBufferedSaves() } }

    // MARK: Ahead

    /// Makes an evaluator if objects of the table are plain rows and only this route writes them.
    func makeEvaluator(_ run: ImportPlan, makeContext: @escaping @Sendable () -> PrivateContext) {
        guard isAlone, plan.table.kinds == nil, !plan.table.hasOtherConstraints else { return }
        evaluator = ObjectEvaluator(plan, run, mode: mode, makeContext: makeContext)
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
    func write(deferred: [DeferredRecord], first: Int64, on connection: Connection) throws -> Outcome {
        guard load != nil else {
            return try apply(
                deferred.map(\.record), .reserved(deferred.map { first + Int64($0.ordinal) }), on: connection)
        }
        for one in deferred {
            try HeldBackRecord.insert(
                one.record, hash: one.hash, primaryKey: first + Int64(one.ordinal), table: plan.table.name, run: run,
                on: connection)
        }
        return Outcome()
    }

    /// Applies the next held-back records; nil if there are none.
    func applyHeldBack(_ limit: Int, bytes: Int, on connection: Connection) throws -> Outcome? {
        let held = try HeldBackRecord.removeNext(limit, bytes: bytes, of: plan.table.name, run: run, on: connection)
        guard !held.isEmpty else { return nil }
        var outcome = Outcome()
        try HeldBackRecord.read(held, reading) { records, slice in
            let applied = try apply(records, .reserved(slice.map(\.primaryKey)), on: connection)
            outcome.counts += applied.counts
            outcome.seenKeys += applied.seenKeys
            outcome.rejects += applied.rejects.map { reject in
                guard let index = records.firstIndex(where: { $0.number == reject.error.record }) else { return reject }
                return slice[slice.startIndex + index].reject(reject, of: records[index], keepingBytes: rejectedBytes)
            }
        }
        return outcome
    }
}
