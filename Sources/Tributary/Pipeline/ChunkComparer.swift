import TributaryConcurrency
import TributaryGraph
import TributaryJSON
import TributarySQLite

/// Compares chunks with the tables they go into, in operations, ahead of the thread that writes.
final class ChunkComparer: Sendable {
    let flight = ChunkFlight()
    private let store: SQLiteStore
    private let cacheKiB: Int
    /// Where rows wait that are too many for memory.
    private let folder: String
    private let mode: BulkMode
    /// For each route its table, if its rows are compared.
    private let compared: [BulkTable?]
    /// For each route the place of its table among all.
    private let tables: [Int]
    private let rejectedBytes: Int
    private let stopsAtRefusal: Bool
    private let idle = Guarded<[StoreReader]>([])

    /// For routes whose rows go into `compared`, if they are compared at all.
    init(_ plan: ImportPlan, compared: [BulkTable?], mode: BulkMode, jobs: Int) {
        store = plan.store
        folder = FilePlace.folder(of: plan.store.name)
        cacheKiB = plan.memory.lookupCacheKiB / max(1, jobs)
        self.mode = mode
        self.compared = compared
        tables = plan.maker.tables
        rejectedBytes = plan.maker.rejectedBytes
        stopsAtRefusal = plan.maker.stopsAtRefusal
    }

    /// Compares a chunk, when it is its turn.
    ///
    /// - Parameters:
    ///   - chunk: As it was made.
    ///   - number: Its number; each comes once, from 1 on.
    /// - Returns: The chunk with what its rows are to the table.
    /// - Throws: `SQLiteError`, `CancellationError`.
    func compare(_ chunk: PreparedChunk, number: Int) throws -> PreparedChunk {
        let hashes = chunk.parts.map { part in
            compared[part.route] == nil ? nil : part.rows.map { $0.entries.map(\.hash) }
        }
        guard let places = flight.claim(hashes, of: number) else { throw CancellationError() }
        var parts = chunk.parts
        var refusals: [PreparedChunk.Refusal] = []
        for (place, late) in places.enumerated() {
            guard let late, let table = compared[parts[place].route], let rows = parts[place].rows else { continue }
            let comparison = try withReader { connection, keys in
                try RowComparer(table, mode: mode, on: connection, keys: keys)
                    .compare(rows.entries.indices.filter { !late[$0] }, of: rows)
            }
            let finder = RecordFinder([chunk], routes: tables, lane: parts[place].route)
            for refused in comparison.outcome.refused {
                guard let record = finder.record(0, rows.entries[refused.row].ordinal) else {
                    fatalError("a row that may be refused keeps its record")
                }
                let reject = record.reject(refused.fault.error, keepingBytes: rejectedBytes)
                refusals.append(.init(reject: reject, route: parts[place].route))
            }
            parts[place].late = late.contains(true) ? rows.rows(at: late.indices.filter { late[$0] }) : nil
            (parts[place].rows, parts[place].comparison) = keep(rows, comparison)
        }
        return PreparedChunk(chunk, number: number, parts: parts, compared: refusals, stopsAtRefusal: stopsAtRefusal)
    }

    /// The rows that write something, out of memory if they are many.
    private func keep(_ rows: RowBatch, _ comparison: RowComparison) -> (RowBatch, RowComparison) {
        var (rows, comparison) = (rows, comparison)
        if comparison.writeCount < rows.count {
            rows = rows.rows(at: rows.entries.indices.filter { comparison.keys[$0] >= 0 })
            comparison.keepWritten()
        }
        if rows.byteCount >= ChunkComparer.fileBytes { rows.moveOut(to: folder) }
        return (rows, comparison)
    }

    /// From how many bytes on rows wait in a file of their own.
    private static let fileBytes = 256 << 10

    private func withReader<Result>(_ body: (Connection, KeyTable) throws -> Result) throws -> Result {
        let reader = try idle.withLock { $0.popLast() } ?? store.makeReader(cacheKiB: cacheKiB)
        defer { idle.withLock { $0.append(reader) } }
        return try body(reader.connection, reader.keys)
    }
}
