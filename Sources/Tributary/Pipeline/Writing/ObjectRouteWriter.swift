import TributaryGraph
import TributaryJSON
import TributarySQLite

/// Writes the records of a route with a setter into their table.
///
/// Setters that use only their record and object are called ahead by an ``ObjectEvaluator`` where that is possible; this
/// class then writes the rows, and applies the records that were deferred. All other records are applied here, in feed order.
final class ObjectRouteWriter: RouteWriter {
    /// What has become of records.
    struct Outcome: Sendable {
        var counts = RecordCounts()
        var rejects: [Reject] = []
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
        isAlone: Bool, filterBytes: Int
    ) {
        self.plan = plan
        self.store = store
        self.context = context
        reading = options.reading
        super.init(plan.table, mode: options.mode, run: run, isAlone: isAlone, filterBytes: filterBytes)
    }

    /// Setters that are called on the thread that writes find objects by the index.
    override var canLoadFirst: Bool { mode != .update && evaluator != nil }

    override func begin(on connection: Connection) throws {
        context.performAndWait { $0.bufferSaves() }
        try super.begin(on: connection)
    }

    /// What the group has saved, to be announced when it is committed.
    func takeSaves() -> SavedChanges? { context.performAndWait { $0.takeBufferedSaves() } }

    // MARK: Ahead

    /// Lets the setter be called ahead, if objects of the table are plain rows and only this route writes them.
    func makeEvaluator(_ run: ImportPlan, makeContext: @escaping @Sendable () -> PrivateContext) {
        guard isAlone, plan.table.kinds == nil, !plan.table.hasOtherConstraints else { return }
        evaluator = ObjectEvaluator(plan, run, mode: mode, makeContext: makeContext)
    }

    /// Tells the evaluator how objects of chunks are found that are admitted from now on.
    func updateStrategy() { evaluator?.strategy = firstLoad.map { .firstLoad($0.filter) } ?? .lookingUp }

    /// Writes what setters have made of the records of several chunks.
    func write(_ parts: [PreparedChunk.Part], firsts: [Int64], on connection: Connection) throws -> BulkOutcome {
        let outcome = try writer(on: connection).write(
            parts.compactMap(\.rows), parts.compactMap(\.comparison), firstKeys: firsts, ofObjects: true)
        firstLoad?.note(aside: 0, rows: outcome.counts.inserted)
        return outcome
    }

    /// Takes deferred records: applies them, or holds them back in a first load.
    ///
    /// - Returns: What has become of those that were applied.
    /// - Throws: what reading or writing the store throws.
    func take(_ deferred: DeferredRecords, first: Int64, on connection: Connection) throws -> Outcome {
        guard let firstLoad else {
            return try apply(
                deferred.records, .reserved(deferred.ordinals.map { first + Int64($0) }), on: connection)
        }
        for index in deferred.records.indices {
            try HeldBackRecord.add(
                deferred.records[index], hash: deferred.hashes[index],
                number: first + Int64(deferred.ordinals[index]), keepingBytes: rejectedBytes,
                table: plan.table.name, run: run, on: connection)
        }
        firstLoad.note(aside: deferred.count, rows: 0)
        return Outcome()
    }

    /// Applies the next records that were held back; nil if there are none.
    func takeHeldBack(_ limit: Int, bytes: Int, on connection: Connection) throws -> Outcome? {
        let held = try HeldBackRecord.take(limit, bytes: bytes, of: plan.table.name, run: run, on: connection)
        guard !held.isEmpty else {
            finishHeldBack()
            return nil
        }
        var outcome = Outcome()
        try HeldBackRecord.read(held, reading) { records, slice in
            let applied = try apply(records, .reserved(slice.map(\.number)), on: connection)
            outcome.counts += applied.counts
            outcome.rejects += applied.rejects.map { reject in
                guard let place = records.firstIndex(where: { $0.number == reject.error.record }) else { return reject }
                return slice[slice.startIndex + place].reject(reject, of: records[place])
            }
        }
        return outcome
    }
}
