import TributaryStore
import TributaryJSON
import TributarySQLite

/// Writes the records of a route with a setter into their table.
///
/// If possible, a ``ChunkComparer`` calls setters ahead that use only their record and object; this class then
/// writes the rows, and applies the deferred records. It applies all other records itself, in feed order.
final class ObjectRouteWriter: RouteWriter {
    private let plan: RouteObjects
    private let work: any ObjectWork
    private let reading: ReadOptions
    private let stopsAtReject: Bool
    /// Whether other threads call the setter, ahead of the thread that writes.
    private var isAhead = false

    init(_ plan: RouteObjects, _ work: any ObjectWork, _ options: ImportOptions, run: Int, isAlone: Bool) {
        self.plan = plan
        self.work = work
        reading = options.reading
        stopsAtReject = options.onError == .stop
        super.init(plan.table, mode: options.mode, run: run, isAlone: isAlone)
    }

    /// If this thread calls the setter, objects are looked up by the index.
    override var canLoad: Bool { mode != .update && isAhead }

    override var appliesRecords: Bool { !isAhead }

    override func begin(on connection: Connection) throws { work.bufferSaves() }

    override func takeSaves() -> (@Sendable () -> Void)? { work.takeSaves() }

    override func allowWorkAhead() {
        // Objects of the table are plain rows then, and only this route writes them.
        isAhead = isAlone && plan.table.kinds == nil && !plan.table.hasOtherConstraints
    }

    override func workAhead() -> ChunkComparer.Work { isAhead ? .objects(work, load?.filter) : .none }

    /// Writes the rows of objects that were made ahead, and calls the setter for the other records.
    override func write(
        _ shares: [RouteShare], _ finder: RecordFinder, on connection: Connection
    ) throws -> RouteOutcome {
        var outcome = RouteOutcome()
        if isAhead {
            outcome.rows = try writer(on: connection).write(
                shares.compactMap(\.part.rows), shares.compactMap(\.part.comparison), firstKeys: shares.map(\.first),
                ofObjects: true)
        }
        for (number, share) in shares.enumerated() where !share.part.records.isEmpty {
            if isAhead, load != nil {
                try holdBack(share, on: connection)
                outcome.waiting += share.part.records.count
                continue
            }
            outcome.add(try work.apply(share.part.records, share.numbers, on: connection), of: number)
            // Nothing that follows a reject may be saved.
            if stopsAtReject, !outcome.rejects.isEmpty { break }
        }
        return outcome
    }

    /// Holds deferred records back until the rows of the load are in the table.
    private func holdBack(_ share: RouteShare, on connection: Connection) throws {
        let part = share.part
        for (index, record) in part.records.enumerated() {
            // Only a record with a key is deferred.
            guard let key = part.keys?.entries[index], !key.isIncomplete else { continue }
            try HeldBackRecord.insert(
                record, hash: key.hash, primaryKey: share.first + Int64(part.ordinals[index]), table: plan.table.name,
                run: run, on: connection)
        }
    }

    override func applyHeldBack(_ limit: Int, bytes: Int, on connection: Connection) throws -> RouteOutcome? {
        work.bufferSaves()
        // Objects take several times as much memory as rows.
        let held = try HeldBackRecord.removeNext(
            limit / 5, bytes: bytes / 2, of: plan.table.name, run: run, on: connection)
        guard !held.isEmpty else { return nil }
        var outcome = RouteOutcome()
        try HeldBackRecord.read(held, reading) { records, slice in
            var applied = try work.apply(records, .reserved(slice.map(\.primaryKey)), on: connection)
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
