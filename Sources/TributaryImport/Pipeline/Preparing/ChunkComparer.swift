import TributaryConcurrency
import TributaryStore
import TributaryJSON
import TributarySQLite

/// Compares rows with their tables and calls setters, on several threads, ahead of the thread that writes.
final class ChunkComparer: Sendable {
    /// How the records of a route are processed.
    enum Work: Sendable {
        case rows(BulkTable)
        /// The setter is called: it may use its record and the attributes of its object, and the import ends if it uses
        /// more. In a table that is loaded, a key is new unless the filter contains it.
        case objects(any ObjectWork, KeyFilter?)
        /// The thread that writes processes them.
        case none
    }

    let gate = LookaheadGate()
    /// For each route.
    private let works: [Work]
    private let store: SQLiteStore
    private let maker: ChunkMaker
    private let cacheKiB: Int
    /// The folder for files of rows that would take too much memory.
    private let folder: String
    private let mode: ImportMode
    /// Whether the keys of rows that records have found are needed, to mark them.
    private let keepsSeenKeys: Bool
    /// For each route, used only while the gate admits a chunk.
    private let keys: [UncommittedKeys]
    private let idle = Guarded<[Connection]>([])

    /// A comparer whose `jobs` connections share the memory for looking up.
    init(
        _ works: [Work], in store: SQLiteStore, _ maker: ChunkMaker, _ memory: ImportMemory, mode: ImportMode,
        keepsSeenKeys: Bool, jobs: Int
    ) {
        (self.works, self.store, self.maker) = (works, store, maker)
        (self.mode, self.keepsSeenKeys) = (mode, keepsSeenKeys)
        folder = FilePath.folder(of: store.name)
        cacheKiB = memory.lookupCacheKiB / max(1, jobs)
        keys = works.map { _ in UncommittedKeys() }
    }

    /// A part of an admitted chunk.
    private struct AdmittedPart {
        let index: Int
        let isDeferred: [Bool]
        var repeatsKeys = false
    }

    /// The results so far.
    private struct Findings {
        var parts: [PreparedChunk.Part]
        var rejects: [PreparedChunk.RouteReject] = []
    }

    /// Processes a chunk once all earlier chunks are admitted; returns it with the rows to write.
    func work(_ chunk: PreparedChunk, number: Int) throws -> PreparedChunk {
        let admitted = try gate.admit(number) { committed in admit(chunk, number, committed) }
        var result = Findings(parts: chunk.parts)
        for part in admitted {
            switch works[chunk.parts[part.index].route] {
            case .none: break
            case .rows(let table): try compare(part, table, chunk, &result)
            case .objects(let work, let filter):
                try evaluate(part, work, isLoading: filter != nil, chunk.parts[part.index].route, &result)
            }
        }
        // A load remembers keys in its filter.
        let remembered = admitted.reduce(0) { sum, part in
            if case .objects(_, _?) = works[chunk.parts[part.index].route] { sum } else { sum + part.isDeferred.count }
        }
        var compared = chunk
        compared.add(
            number: number, parts: result.parts, rejects: result.rejects, rememberedKeys: remembered,
            stopsAtReject: maker.stopsAtReject)
        return compared
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
            case .objects(_, let filter):
                let hashes = (part.keys?.entries ?? []).lazy.map { $0.isIncomplete ? nil : $0.hash }
                let (isDeferred, repeats) = keys.admit(hashes, of: number, committed: committed, filter: filter)
                return AdmittedPart(index: index, isDeferred: isDeferred, repeatsKeys: repeats)
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
        var comparison = try withReader { reader in
            let comparer = RowComparer(table, mode: mode, on: reader)
            comparer.keepsSeenKeys = keepsSeenKeys
            return try comparer.compare([rows])[0]
        }
        let finder = RecordFinder([chunk], maker, route: part.route)
        for refused in comparison.outcome.refused {
            result.rejects.append(.init(reject: finder.reject(refused, ofChunk: 0), route: part.route))
        }
        let kept = comparison.keepWritten(of: rows)
        add(kept, comparison, to: admitted, &result)
    }

    /// Adds the rows to write to the result, and moves many of them to a file.
    private func add(
        _ rows: RowBatch, _ comparison: RowComparison, to admitted: AdmittedPart, _ result: inout Findings
    ) {
        if rows.byteCount >= ChunkComparer.fileBytes { rows.moveOut(to: folder) }
        result.parts[admitted.index].rows = rows
        result.parts[admitted.index].comparison = comparison
    }

    /// The size from which the rows of a part are moved to a file, in bytes.
    private static let fileBytes = 256 << 10

    private func withReader<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        let reader = try idle.withLock { $0.popLast() } ?? store.makeReader(cacheKiB: cacheKiB)
        defer { idle.withLock { $0.append(reader) } }
        return try body(reader)
    }

    /// Closes the connections that read, once no thread compares: an open one would keep the log of a database that is
    /// closed next.
    func closeReaders() { idle.withLock { $0 = [] } }

    // MARK: Objects

    private func evaluate(
        _ admitted: AdmittedPart, _ work: any ObjectWork, isLoading: Bool, _ route: Int, _ result: inout Findings
    ) throws {
        let records = result.parts[admitted.index].removeRecords(deferring: admitted.isDeferred)
        let evaluation = try withReader { reader in
            try work.evaluate(records, isFirst: isLoading, repeatsKeys: admitted.repeatsKeys, reader: reader)
        }
        result.rejects += evaluation.rejects.map { .init(reject: $0, route: route) }
        if isLoading {
            // A load is written soon: keep its rows in memory.
            result.parts[admitted.index].rows = evaluation.rows
            result.parts[admitted.index].comparison = evaluation.comparison
        } else {
            add(evaluation.rows, evaluation.comparison, to: admitted, &result)
        }
    }
}
