import TributaryConcurrency
import TributaryGraph
import TributaryJSON
import TributarySQLite

/// Finds out on several threads what chunks do to their tables, ahead of the thread that writes: rows are compared with
/// what is there, closures are called.
final class ChunkComparer: Sendable {
    /// What is done with the records of a route.
    enum Lane: Sendable {
        case rows(BulkTable)
        case objects(ObjectEvaluator)
        /// They are left to the thread that writes.
        case none
    }

    let flight = ChunkFlight()
    private let lanes: [Lane]
    private let store: SQLiteStore
    private let cacheKiB: Int
    /// Where rows wait that are too many for memory.
    private let folder: String
    private let mode: BulkMode
    /// For each route the place of its table among all.
    private let tables: [Int]
    private let rejectedBytes: Int
    private let stopsAtRefusal: Bool
    /// For each route; used by the chunk that takes off.
    private let keys: [KeysInFlight]
    private let idle = Guarded<[Connection]>([])
    private let hasObjects: Bool

    init(_ plan: ImportPlan, _ lanes: [Lane], mode: BulkMode, jobs: Int) {
        self.lanes = lanes
        hasObjects = lanes.contains { if case .objects = $0 { true } else { false } }
        store = plan.store
        folder = FilePlace.folder(of: plan.store.name)
        cacheKiB = plan.memory.lookupCacheKiB / max(1, jobs)
        self.mode = mode
        tables = plan.maker.tables
        rejectedBytes = plan.maker.rejectedBytes
        stopsAtRefusal = plan.maker.stopsAtRefusal
        keys = lanes.map { _ in KeysInFlight() }
    }

    /// What becomes of one part of a chunk that has taken off.
    private struct Departure {
        let part: Int
        let late: [Bool]
        var repeatsKeys = false
        /// Whether closures find all that came before, when it is their turn.
        var findsAll = true
        var way = ObjectEvaluator.Way.leaving
        let number: Int
    }

    /// Works on a chunk, when it is its turn.
    ///
    /// - Parameters:
    ///   - chunk: As it was made.
    ///   - number: Its number; each comes once, from 1 on.
    ///   - ask: Tells the thread that writes that the chunk waits for those before.
    ///   - done: Gets the chunk with what is to be written, perhaps on another thread, or what reading the store and saving
    ///     throw, or `CancellationError`.
    func work(
        _ chunk: PreparedChunk, number: Int, asking ask: @escaping () -> Void,
        _ done: @escaping @Sendable (Result<PreparedChunk, any Error>) -> Void
    ) {
        let worked = Result { try work(chunk, number, ask) }
        let stopsAtRefusal = stopsAtRefusal
        @Sendable func end(_ standing: ChunkFlight.Standing) {
            done(
                worked.map { findings in
                    guard standing != .stale else { return PreparedChunk(chunk, number: number) }
                    return PreparedChunk(
                        chunk, number: number, parts: findings.parts, found: findings.refusals,
                        remembered: findings.remembered, isDoubtful: standing == .doubtful,
                        stopsAtRefusal: stopsAtRefusal)
                })
        }
        guard hasObjects else { return end(.sound) }
        let findings = try? worked.get()
        // What closures do that reach further, those that are called meanwhile have not seen.
        flight.settle(
            number,
            .init(
                reachesFurther: findings?.reachesFurther ?? true,
                hasLate: findings?.hasLate ?? false, body: end))
    }

    private func work(_ chunk: PreparedChunk, _ number: Int, _ ask: @escaping () -> Void) throws -> Findings {
        var result = Findings(chunk)
        let departures = try flight.takeOff(number) { landed in
            let departures = depart(chunk, number, landed)
            // A first load remembers them in its filter.
            result.remembered = departures.reduce(0) { $0 + ($1.way == .firstLoad ? 0 : $1.late.count) }
            // How a closure is treated is seen at the first chunk, before others follow.
            if number == 1 { try work(departures, chunk, &result, ask) }
            return departures
        }
        if number > 1 { try work(departures, chunk, &result, ask) }
        if result.parts.contains(where: \.isLeft) { result.reachesFurther = true }
        return result
    }

    /// How long a closure waits for the chunks before: it may hold something that one of theirs waits for.
    private static let patience = 10_000

    /// Notes the keys of a chunk that takes off.
    private func depart(_ chunk: PreparedChunk, _ number: Int, _ landed: Int) -> [Departure] {
        chunk.parts.indices.compactMap { index in
            let part = chunk.parts[index]
            let keys = keys[part.route]
            switch lanes[part.route] {
            case .none: return nil
            case .rows:
                guard let rows = part.rows else { return nil }
                return Departure(
                    part: index, late: rows.entries.map { keys.insert($0.hash, of: number, landed: landed) > 0 },
                    number: number)
            case .objects(let evaluator):
                let (way, filter) = evaluator.treatment
                guard way != .leaving else { return nil }
                let (late, repeats) = ObjectEvaluator.late(part.hashes, keys, filter, chunk: number, landed: landed)
                return Departure(
                    part: index, late: late, repeatsKeys: repeats, findsAll: evaluator.findsAll(besides: late, way),
                    way: way, number: number)
            }
        }
    }

    /// What was found out so far.
    private struct Findings: Sendable {
        var parts: [PreparedChunk.Part]
        var refusals: [PreparedChunk.Refusal] = []
        /// How many keys are remembered until the chunk has landed.
        var remembered = 0
        /// Whether a closure may change more than the objects of its records.
        var reachesFurther = false
        /// Whether the thread that writes calls closures for some: a first load sets them aside.
        var hasLate = false

        init(_ chunk: PreparedChunk) { parts = chunk.parts }
    }

    private func work(
        _ departures: [Departure], _ chunk: PreparedChunk, _ result: inout Findings, _ ask: @escaping () -> Void
    ) throws {
        for departure in departures {
            switch lanes[chunk.parts[departure.part].route] {
            case .none: break
            case .rows(let table): try compare(departure, table, chunk, &result)
            case .objects(let evaluator): try evaluate(departure, evaluator, chunk, &result, ask)
            }
        }
    }

    // MARK: Rows

    private func compare(
        _ departure: Departure, _ table: BulkTable, _ chunk: PreparedChunk, _ result: inout Findings
    ) throws {
        let part = chunk.parts[departure.part]
        guard let rows = part.rows else { return }
        let late = departure.late
        let comparison = try withReader { reader in
            try RowComparer(table, mode: mode, on: reader)
                .compare(rows.entries.indices.filter { !late[$0] }, of: rows)
        }
        let finder = RecordFinder([chunk], routes: tables, lane: part.route)
        for refused in comparison.outcome.refused {
            guard let record = finder.record(0, rows.entries[refused.row].ordinal) else {
                fatalError("a row that may be refused keeps its record")
            }
            let reject = record.reject(refused.fault.error, keepingBytes: rejectedBytes)
            result.refusals.append(.init(reject: reject, route: part.route))
        }
        if late.contains(true) {
            result.parts[departure.part].late = rows.rows(at: late.indices.filter { late[$0] })
        }
        var (kept, written) = (rows, comparison)
        if comparison.writeCount < rows.count {
            kept = rows.rows(at: rows.entries.indices.filter { comparison.keys[$0] >= 0 })
            written.keepWritten()
        }
        keep(kept, written, departure, &result)
    }

    /// Keeps rows that are to be written, out of memory if they are many.
    private func keep(
        _ rows: RowBatch, _ comparison: RowComparison, _ departure: Departure, _ result: inout Findings
    ) {
        if rows.byteCount >= ChunkComparer.fileBytes { rows.moveOut(to: folder) }
        result.parts[departure.part].rows = rows
        result.parts[departure.part].comparison = comparison
    }

    /// From how many bytes on rows wait in a file of their own.
    private static let fileBytes = 256 << 10

    private func withReader<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        let reader = try idle.withLock { $0.popLast() } ?? store.makeReader(cacheKiB: cacheKiB)
        defer { idle.withLock { $0.append(reader) } }
        return try body(reader)
    }

    // MARK: Objects

    private func evaluate(
        _ departure: Departure, _ evaluator: ObjectEvaluator, _ chunk: PreparedChunk, _ result: inout Findings,
        _ ask: @escaping () -> Void
    ) throws {
        let part = chunk.parts[departure.part]
        var (records, ordinals) = (part.records, part.ordinals)
        var late = LateRecords()
        if departure.late.contains(true) {
            (records, ordinals) = ([], [])
            for (index, isLate) in departure.late.enumerated() {
                if isLate, let hash = part.hashes[index] {
                    late.append(part.records[index], hash: hash, ordinal: part.ordinals[index])
                } else {
                    records.append(part.records[index])
                    ordinals.append(part.ordinals[index])
                }
            }
        }
        let flight = flight
        let watch = StoreWatch(mayRead: departure.findsAll) {
            ask()
            return flight.waitForTurn(departure.number, milliseconds: ChunkComparer.patience)
        }
        let evaluation = try withReader { reader in
            try evaluator.evaluate(
                records, ordinals: ordinals, departure.way, atOnce: departure.repeatsKeys, reader: reader, watch)
        }
        // What cannot be done ahead stays as it is for the thread that writes.
        guard let evaluation else { return }
        if evaluation.reachesFurther { result.reachesFurther = true }
        result.refusals += evaluation.rejects.map { .init(reject: $0, route: part.route) }
        if departure.way != .firstLoad, !late.isEmpty { result.hasLate = true }
        result.parts[departure.part].leaveRecords(late)
        // A first load is written as it comes.
        if departure.way == .firstLoad {
            result.parts[departure.part].rows = evaluation.rows
            result.parts[departure.part].comparison = evaluation.comparison
        } else {
            keep(evaluation.rows, evaluation.comparison, departure, &result)
        }
    }
}
