import TributaryConcurrency
import TributaryGraph
import TributaryJSON
import TributarySQLite

/// Finds out on several threads what chunks do to their tables, ahead of the thread that writes: rows are compared with
/// what is there, setters are called.
final class ChunkComparer: Sendable {
    /// What is done with the records of a route.
    enum Work: Sendable {
        case rows(BulkTable)
        case objects(ObjectEvaluator)
        /// They are left to the thread that writes.
        case none
    }

    let gate = LookaheadGate()
    /// For each route.
    private let works: [Work]
    private let store: SQLiteStore
    private let cacheKiB: Int
    /// Where rows wait that are too many for memory.
    private let folder: String
    private let mode: ImportMode
    /// For each route the place of its table among all.
    private let tables: [Int]
    private let rejectedBytes: Int
    private let stopsAtReject: Bool
    /// For each route; used by the chunk that is being admitted.
    private let keys: [UncommittedKeys]
    private let idle = Guarded<[Connection]>([])

    init(_ plan: ImportPlan, _ works: [Work], mode: ImportMode, jobs: Int) {
        self.works = works
        store = plan.store
        folder = FilePlace.folder(of: plan.store.name)
        cacheKiB = plan.memory.lookupCacheKiB / max(1, jobs)
        self.mode = mode
        tables = plan.maker.tables
        rejectedBytes = plan.maker.rejectedBytes
        stopsAtReject = plan.maker.stopsAtReject
        keys = works.map { _ in UncommittedKeys() }
    }

    /// One part of a chunk that was admitted.
    private struct AdmittedPart {
        let index: Int
        let isDeferred: [Bool]
        var repeatsKeys = false
        /// How objects are found; nil for rows.
        var strategy: ObjectEvaluator.Strategy?
    }

    /// What was found out so far.
    private struct Findings {
        var parts: [PreparedChunk.Part]
        var rejects: [PreparedChunk.RouteReject] = []
    }

    /// Works on a chunk when all chunks before it are admitted.
    ///
    /// - Parameters:
    ///   - chunk: As it was made.
    ///   - number: Its number; each comes once, from 1 on.
    /// - Returns: The chunk with what is to be written.
    /// - Throws: what reading the store and saving throw, `ImportError` if a setter has used more than it may,
    ///   `CancellationError`.
    func work(_ chunk: PreparedChunk, number: Int) throws -> PreparedChunk {
        let admitted = try gate.admit(number) { committed in admit(chunk, number, committed) }
        var result = Findings(parts: chunk.parts)
        for part in admitted {
            switch works[chunk.parts[part.index].route] {
            case .none: break
            case .rows(let table): try compare(part, table, chunk, &result)
            case .objects(let evaluator): try evaluate(part, evaluator, chunk, &result)
            }
        }
        // A first load remembers keys in its filter.
        let remembered = admitted.reduce(0) { sum, part in
            if case .firstLoad? = part.strategy { sum } else { sum + part.isDeferred.count }
        }
        return PreparedChunk(
            chunk, number: number, parts: result.parts, found: result.rejects, rememberedKeys: remembered,
            stopsAtReject: stopsAtReject)
    }

    /// Records the keys of a chunk that is being admitted.
    private func admit(_ chunk: PreparedChunk, _ number: Int, _ committed: Int) -> [AdmittedPart] {
        chunk.parts.indices.compactMap { index in
            let part = chunk.parts[index]
            let keys = keys[part.route]
            switch works[part.route] {
            case .none: return nil
            case .rows:
                guard let rows = part.rows else { return nil }
                let (isDeferred, _) = keys.admit(rows.entries.lazy.map(\.hash), of: number, committed: committed)
                return AdmittedPart(index: index, isDeferred: isDeferred)
            case .objects(let evaluator):
                let strategy = evaluator.strategy
                let (isDeferred, repeats) = keys.admit(
                    part.hashes, of: number, committed: committed, filter: strategy.filter)
                return AdmittedPart(index: index, isDeferred: isDeferred, repeatsKeys: repeats, strategy: strategy)
            }
        }
    }

    // MARK: Rows

    private func compare(
        _ admitted: AdmittedPart, _ table: BulkTable, _ chunk: PreparedChunk, _ result: inout Findings
    ) throws {
        let part = chunk.parts[admitted.index]
        guard var rows = part.rows else { return }
        let isDeferred = admitted.isDeferred
        if isDeferred.contains(true) {
            result.parts[admitted.index].deferredRows = rows.rows(at: isDeferred.indices.filter { isDeferred[$0] })
            rows = rows.rows(at: isDeferred.indices.filter { !isDeferred[$0] })
        }
        var comparison = try withReader { try RowComparer(table, mode: mode, on: $0).compare([rows])[0] }
        let finder = RecordFinder([chunk], routes: tables, route: part.route)
        for refused in comparison.outcome.refused {
            guard let record = finder.record(0, refused.ordinal) else {
                fatalError("a row that may be refused keeps its record")
            }
            let reject = record.reject(refused.fault.error, keepingBytes: rejectedBytes)
            result.rejects.append(.init(reject: reject, route: part.route))
        }
        let kept = comparison.keepWritten(of: rows)
        keep(kept, comparison, admitted, &result)
    }

    /// Keeps rows that are to be written, out of memory if they are many.
    private func keep(
        _ rows: RowBatch, _ comparison: RowComparison, _ admitted: AdmittedPart, _ result: inout Findings
    ) {
        if rows.byteCount >= ChunkComparer.fileBytes { rows.moveOut(to: folder) }
        result.parts[admitted.index].rows = rows
        result.parts[admitted.index].comparison = comparison
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
        _ admitted: AdmittedPart, _ evaluator: ObjectEvaluator, _ chunk: PreparedChunk, _ result: inout Findings
    ) throws {
        guard let strategy = admitted.strategy else { return }
        let part = chunk.parts[admitted.index]
        var (records, ordinals) = (part.records, part.ordinals)
        var deferred = DeferredRecords()
        if admitted.isDeferred.contains(true) {
            (records, ordinals) = ([], [])
            for (index, isDeferred) in admitted.isDeferred.enumerated() {
                if isDeferred, let hash = part.hashes[index] {
                    deferred.append(part.records[index], hash: hash, ordinal: part.ordinals[index])
                } else {
                    records.append(part.records[index])
                    ordinals.append(part.ordinals[index])
                }
            }
        }
        let evaluation = try withReader { reader in
            try evaluator.evaluate(
                records, ordinals: ordinals, strategy, atOnce: admitted.repeatsKeys, reader: reader)
        }
        result.rejects += evaluation.rejects.map { .init(reject: $0, route: part.route) }
        result.parts[admitted.index].leaveRecords(deferred)
        if case .firstLoad = strategy {
            // A first load is written as it comes.
            result.parts[admitted.index].rows = evaluation.rows
            result.parts[admitted.index].comparison = evaluation.comparison
        } else {
            keep(evaluation.rows, evaluation.comparison, admitted, &result)
        }
    }
}
