import TributaryGraph
import TributaryJSON
import TributarySQLite

/// Writes the records of a route with a setter into their table.
///
/// Setters that use only their record and object are called ahead by an ``ObjectEvaluator`` where that is possible; this
/// class then writes the rows, and applies the records that were deferred. All other records are applied here, in feed order.
final class ObjectRouteWriter {
    /// What has become of records.
    struct Outcome: Sendable {
        var counts = RecordCounts()
        var rejects: [Reject] = []
    }

    let plan: ImportPlan.Objects
    let store: SQLiteStore
    let context: PrivateContext
    let mode: ImportMode
    private let filterBytes: Int
    private let reading: ReadOptions
    var rejectedBytes: Int { reading.limits.rejectedBytes }
    private var writer: BulkWriter?
    private var firstLoad: FirstLoad?
    /// Calls the setter ahead of the thread that writes; nil if this thread does.
    private(set) var evaluator: ObjectEvaluator?
    /// Whether the numbers of rows are wanted.
    var keepsKeys = false
    private let run: Int
    /// Whether no other route writes into the table.
    private let isAlone: Bool
    private var hasBegun = false
    /// Whether records may be held back that come before all that is taken next: their first load has ended early.
    private(set) var hasHeldBack = false

    init(
        _ plan: ImportPlan.Objects, _ store: SQLiteStore, _ context: PrivateContext, _ options: ImportOptions, run: Int,
        isAlone: Bool, filterBytes: Int
    ) {
        self.plan = plan
        self.store = store
        self.context = context
        self.run = run
        self.isAlone = isAlone
        self.filterBytes = filterBytes
        mode = options.mode
        reading = options.reading
    }

    /// Whether objects go into a table that was empty, whose indexes are made in the end.
    var isLoadingFirst: Bool { firstLoad != nil }

    /// Prepares to write; in the transaction of each group.
    func begin(on connection: Connection) throws {
        context.performAndWait { $0.bufferSaves() }
        if hasBegun {
            if firstLoad != nil, try DeferredIndexes.run(of: plan.table.name, on: connection) != run {
                firstLoad = nil
                hasHeldBack = true
            }
            // Another import may have begun a first load since then: it would not see what is written here.
            if firstLoad == nil { try FirstLoad.endOther(of: plan.table.name, run: run, on: connection) }
            return
        }
        hasBegun = true
        let writer = BulkWriter(plan.table, mode: BulkMode(mode), on: connection)
        self.writer = writer
        guard mode != .update, evaluator != nil else {
            // Setters that are called here find objects by the index.
            try makeIndexes(on: connection)
            hasHeldBack = true
            return
        }
        firstLoad = try FirstLoad.begin(writer, run: run, on: connection, filterBytes: filterBytes)
        hasHeldBack = firstLoad == nil
    }

    /// What the group has saved, to be announced when it is committed.
    func takeSaves() -> SavedChanges? { context.performAndWait { $0.takeBufferedSaves() } }

    /// Makes the indexes that a first load has left out.
    func makeIndexes(on connection: Connection) throws {
        firstLoad = nil
        try DeferredIndexes.make(of: plan.table.name, on: connection)
    }

    // MARK: Ahead

    /// Lets the setter be called ahead, if objects of the table are plain rows and only this route writes them.
    func makeEvaluator(_ run: ImportPlan, makeContext: @escaping @Sendable () -> PrivateContext) {
        guard isAlone, plan.table.kinds == nil, !plan.table.hasOtherConstraints else { return }
        evaluator = ObjectEvaluator(plan, run, mode: mode, makeContext: makeContext)
    }

    /// Whether the first load should end.
    var shouldEndFirstLoad: Bool { firstLoad?.shouldEnd ?? false }

    /// Tells the evaluator how objects of chunks are found that are admitted from now on.
    func updateStrategy() { evaluator?.strategy = firstLoad.map { .firstLoad($0.filter) } ?? .lookingUp }

    /// Makes the indexes now, if a first load has left them out; what is held back is to be applied.
    func endFirstLoad(on connection: Connection) throws {
        try makeIndexes(on: connection)
        hasHeldBack = true
    }

    /// Writes what setters have made of the records of several chunks.
    func write(_ parts: [PreparedChunk.Part], firsts: [Int64]) throws -> BulkOutcome {
        guard let writer else { fatalError("a route begins before it takes records") }
        writer.keepsKeys = keepsKeys
        let outcome = try writer.write(
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
            hasHeldBack = false
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
