import TributaryStore
import TributaryJSON
import TributarySQLite

/// Writes the records of a route with a setter into their table.
///
/// If possible, an ``ObjectEvaluator`` calls setters ahead that use only their record and object; this class then
/// writes the rows, and applies the deferred records. It applies all other records itself, in feed order.
final class ObjectRouteWriter: RouteWriter {
    private let plan: RouteObjects
    private let work: any ObjectWork
    private let reading: ReadOptions
    private let stopsAtReject: Bool
    /// Calls the setter ahead of the thread that writes; nil if this thread does.
    private var evaluator: ObjectEvaluator?

    init(_ plan: RouteObjects, _ work: any ObjectWork, _ options: ImportOptions, run: Int, isAlone: Bool) {
        self.plan = plan
        self.work = work
        reading = options.reading
        stopsAtReject = options.onError == .stop
        super.init(plan.table, mode: options.mode, run: run, isAlone: isAlone)
    }

    /// Without an evaluator, objects are looked up by the index on the thread that writes.
    override var canLoad: Bool { mode != .update && evaluator != nil }

    override var appliesRecords: Bool { evaluator == nil }

    override func begin(on connection: Connection) throws { work.bufferSaves() }

    override func takeSaves() -> (@Sendable () -> Void)? { work.takeSaves() }

    /// Makes an evaluator if objects of the table are plain rows and only this route writes them.
    override func allowWorkAhead() {
        guard isAlone, plan.table.kinds == nil, !plan.table.hasOtherConstraints else { return }
        evaluator = ObjectEvaluator(work)
    }

    override func workAhead() -> ChunkComparer.Work { evaluator.map { .objects($0) } ?? .none }

    override func openLoad(
        in store: SQLiteStore, _ memory: (filter: Int, sorting: Int), on connection: Connection
    ) throws {
        try super.openLoad(in: store, memory, on: connection)
        evaluator?.strategy = load.map { .loading($0.filter) } ?? .lookingUp
    }

    /// Writes the rows of evaluated records, and calls the setter for the others.
    override func write(
        _ shares: [RouteShare], _ finder: RecordFinder, on connection: Connection
    ) throws -> RouteOutcome {
        var outcome = RouteOutcome()
        if evaluator != nil {
            outcome.rows = try writer(on: connection).write(
                shares.compactMap(\.part.rows), shares.compactMap(\.part.comparison), firstKeys: shares.map(\.first),
                ofObjects: true)
        }
        for (number, share) in shares.enumerated() {
            if evaluator == nil {
                outcome.add(try apply(share.part.records, share.numbers, on: connection), of: number)
            } else if !share.part.deferredRecords.isEmpty {
                let deferred = share.part.deferredRecords
                let applied = try write(deferred: deferred, first: share.first, on: connection)
                outcome.add(applied, of: number)
                outcome.waiting += deferred.count - applied.counts.total
            }
            // Nothing that follows a reject may be saved.
            if stopsAtReject, !outcome.rejects.isEmpty { break }
        }
        return outcome
    }

    /// Calls the setter for records in feed order, and saves the changed objects.
    private func apply(
        _ records: [Record], _ numbers: RowNumbers, on connection: Connection
    ) throws -> ObjectOutcome {
        records.isEmpty ? ObjectOutcome() : try work.apply(records, numbers, on: connection)
    }

    /// Applies deferred records, or holds them back during a load.
    private func write(
        deferred: [DeferredRecord], first: Int64, on connection: Connection
    ) throws -> ObjectOutcome {
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

    override func applyHeldBack(_ limit: Int, bytes: Int, on connection: Connection) throws -> RouteOutcome? {
        work.bufferSaves()
        // Objects take several times as much memory as rows.
        let held = try HeldBackRecord.removeNext(
            limit / 5, bytes: bytes / 2, of: plan.table.name, run: run, on: connection)
        guard !held.isEmpty else { return nil }
        var outcome = RouteOutcome()
        try HeldBackRecord.read(held, reading) { records, slice in
            var applied = try apply(records, .reserved(slice.map(\.primaryKey)), on: connection)
            applied.rejects = applied.rejects.map { reject in
                guard let index = records.firstIndex(where: { $0.number == reject.error.record }) else { return reject }
                return slice[slice.startIndex + index]
                    .reject(reject, of: records[index], keepingBytes: reading.limits.rejectedBytes)
            }
            outcome.add(applied, of: 0)
        }
        // Contexts reload, so they need no list of these changes.
        _ = work.takeSaves()
        return outcome
    }
}
