import TributaryStore
import TributaryJSON

/// Prepares chunks for writing; several threads can call it.
///
/// It is a pure function unless columns are inferred. A chunk with new columns then waits for all earlier ones, and is
/// prepared again if one of them had new columns too, so that the columns are in the order of the feed.
package struct ChunkMaker: Sendable {
    /// How the records of a route are prepared.
    enum Making: Sendable {
        case rows(RowMaker)
        /// Rows with inferred columns.
        case inferred(InferredRowMaker)
        /// Rows with those of nested objects, which the plan of all routes describes.
        case related(EntityMapping)
        /// Unchanged records, with this key if it is looked up ahead, and what their mapping does not name.
        case records(RecordKey?, MemberScanner?)
    }

    /// For each route how its records are prepared.
    let makings: [Making]
    /// The tables of nested objects; nil if no route has relations.
    let related: RelatedPlan?
    /// For each route the index of the table that its objects get primary keys of.
    let tables: [Int]
    let tableCount: Int
    /// Which route takes a record.
    let choice: RouteChoice
    /// Whether the parts of a chunk are in feed order, for a setter that fetches objects of other routes.
    let keepsFeedOrder: Bool
    let stopsAtReject: Bool
    let rejectedBytes: Int
    /// Makes what checks a row after it was added, for what the target cannot hold; nil if it holds everything.
    var makeCheck: RowCheckMaker?
    /// The memory of the rows; nil is that of the system.
    var rowMemory: RowMemory?
    /// Whether the target may refuse any row later, so that chunks keep their records.
    var keepsRecords = false
    /// Whether chunks with relations know what each record has made.
    var keepsParts = false
    /// For each route how the key of a rejected record is read; empty if no keys are wanted.
    var keys: [RecordKey?] = []

    /// How sources are read for the routes; `isDigested` says whether the bytes read are hashed.
    func reading(_ options: ImportOptions, _ memory: ImportMemory, isDigested: Bool = false) -> ReadOptions {
        var reading = options.reading
        if !choice.paths.isEmpty { reading.paths = choice.paths }
        reading.queueBytes = min(reading.queueBytes, memory.reading)
        reading.parsers = reading.parsers ?? options.jobs
        reading.digests = isDigested
        return reading
    }

    /// Prepares the first records of a chunk, and the parts between them that are no records; `turn` waits until all
    /// earlier chunks have been prepared.
    func make(_ chunk: RecordChunk, count: Int, unreadable: Int, turn: () -> Void) -> PreparedChunk {
        if let related { return make(chunk, related, count, unreadable) }
        let makers = makings.map { if case .inferred(let maker) = $0 { maker } else { nil } as InferredRowMaker? }
        func attempt() -> (PreparedChunk, [(InferredRowMaker, InferredRowMaker.ChunkColumns)]) {
            let columns = makers.map { $0?.begin() }
            let prepared = make(chunk, count, unreadable, columns)
            return (
                prepared,
                zip(makers, columns).compactMap {
                    if let maker = $0, let columns = $1 { (maker, columns) } else { nil }
                }
            )
        }
        var (prepared, columns) = attempt()
        guard columns.contains(where: { $1.hasAdditions }) else { return prepared }
        turn()
        if !columns.allSatisfy({ $0.canKeep($1) }) { (prepared, columns) = attempt() }
        for (maker, columns) in columns { maker.keep(columns) }
        return prepared
    }

    private func make(
        _ chunk: RecordChunk, _ count: Int, _ unreadable: Int, _ columns: [InferredRowMaker.ChunkColumns?]
    ) -> PreparedChunk {
        var numbers = [Int](repeating: 0, count: tableCount)
        var rejects = ChunkRejects(
            chunk, unreadable: unreadable, isOneRoute: makings.count == 1, keepingBytes: rejectedBytes, keys: keys)
        var parts: [PreparedChunk.Part] = []
        func makeWork(_ route: Int, expecting count: Int, bytes: Int) -> Work {
            Work(makings[route], columns[route], makeCheck?(route), rowMemory, expecting: count, bytes: bytes)
        }
        var work = makings.indices.map {
            makeWork($0, expecting: count / makings.count, bytes: chunk.byteCount / 3 / makings.count)
        }
        // The route of the latest record of each table, or of all tables together: a part ends where the route changes.
        var latest = [Int?](repeating: nil, count: keepsFeedOrder ? 1 : tableCount)
        var mayBeRefusedLater = false
        var endsImport = false
        var skipped = 0
        var leftOut = keys.isEmpty || !choice.hasFilters ? nil : LeftOutKeys(choice, makings, keys)
        for index in 0..<count {
            let record = chunk[index]
            rejects.addUnreadable(before: record)
            guard let route = choice.route(of: record) else {
                guard let (route, error) = leftOut?.add(record) else {
                    skipped += 1
                    continue
                }
                rejects.add(record, error, route: route)
                if stopsAtReject {
                    endsImport = true
                    break
                }
                continue
            }
            let ordinal = numbers[tables[route]]
            numbers[tables[route]] += 1
            let sequence = keepsFeedOrder ? 0 : tables[route]
            if let earlier = latest[sequence], earlier != route, work[earlier].recordCount > 0 {
                if work[earlier].mayBeRefusedLater { mayBeRefusedLater = true }
                parts.append(work[earlier].part(earlier))
                work[earlier] = makeWork(earlier, expecting: 0, bytes: 0)
            }
            latest[sequence] = route
            do throws(JSONError) {
                try work[route].add(record, ordinal)
            } catch {
                rejects.add(record, error, route: route)
                if stopsAtReject {
                    endsImport = true
                    break
                }
            }
        }
        if !endsImport { rejects.addUnreadable() }
        for (route, work) in work.enumerated() where work.recordCount > 0 {
            parts.append(work.part(route))
            if work.mayBeRefusedLater { mayBeRefusedLater = true }
        }
        return PreparedChunk(
            chunk: mayBeRefusedLater || keepsRecords ? chunk : nil, recordCount: count, skipped: skipped,
            unreadable: rejects.unreadable, rejects: rejects.all, parts: parts, leftOut: leftOut?.all ?? [],
            numbers: numbers, checkpoint: chunk.checkpoint, endsImport: endsImport)
    }

    /// The records of one route of a chunk in preparation.
    private final class Work {
        private let maker: RowMaker?
        private let inferred: InferredRows?
        private let batch: RowBatch?
        private let check: RowCheck?
        // One thread prepares a chunk, and no access to a field overlaps another.
        @exclusivity(unchecked) private var scratch: RowMaker.Scratch?
        private let key: RecordKey?
        private let scanner: MemberScanner?
        @exclusivity(unchecked) private var notes = MemberScanner.Notes()
        @exclusivity(unchecked) private var records: [Record] = []
        @exclusivity(unchecked) private var ordinals: [Int] = []
        @exclusivity(unchecked) private var firstOrdinal = 0
        /// The number of records added, rejected ones included.
        @exclusivity(unchecked) private(set) var recordCount = 0

        init(
            _ making: Making, _ columns: InferredRowMaker.ChunkColumns?, _ check: RowCheck?, _ memory: RowMemory?,
            expecting count: Int, bytes: Int
        ) {
            self.check = check
            if case .related = making {
                fatalError("internal error: a route with relations is prepared with all routes")
            }
            maker = if case .rows(let maker) = making { maker } else { nil }
            inferred =
                if case .inferred(let maker) = making {
                    InferredRows(maker, columns ?? maker.begin(), expecting: count, bytes: bytes)
                } else { nil }
            batch =
                inferred?.batch ?? maker.map { RowBatch(width: $0.table.columns.count, capacity: bytes, from: memory) }
            scratch = maker.map(RowMaker.Scratch.init)
            if maker != nil { batch?.reserve(rows: count) }
            (key, scanner) = if case .records(let key, let scanner) = making { (key, scanner) } else { (nil, nil) }
            guard case .records = making else { return }
            records.reserveCapacity(count)
            ordinals.reserveCapacity(count)
        }

        /// Adds a record; throws why it is rejected.
        func add(_ record: Record, _ ordinal: Int) throws(JSONError) {
            if recordCount == 0 { firstOrdinal = ordinal }
            recordCount += 1
            if let inferred {
                if let error = inferred.add(record, ordinal) { throw error }
                return
            }
            guard let maker, let batch else {
                scanner?.scan(record.value, &notes)
                records.append(record)
                ordinals.append(ordinal)
                return
            }
            // `init` sets the maker and its scratch together.
            // swift-format-ignore: NeverForceUnwrap
            if let error = maker.add(record, ordinal: ordinal, to: batch, &scratch!) { throw error }
            guard let check, var refusal = check(batch) else { return }
            batch.removeLast()
            refusal.position = record.position
            throw refusal
        }

        var mayBeRefusedLater: Bool {
            // A constraint of a table of another program may refuse any row.
            guard let maker, let batch else { return inferred?.isFixed ?? true }
            return maker.table.mayRefuse || batch.hasIncompleteRows
        }

        func part(_ route: Int) -> PreparedChunk.Part {
            inferred?.end()
            var (mapping, matched) = (MappingReport(), inferred?.matchedPaths ?? [])
            if let maker {
                // `init` sets the maker and its scratch together.
                // swift-format-ignore: NeverForceUnwrap
                (mapping, matched) = (maker.report(scratch!), maker.matched(scratch!))
            }
            return PreparedChunk.Part(
                route: route, numberCount: recordCount, firstOrdinal: firstOrdinal, rows: batch,
                inference: inferred?.report ?? InferenceReport(), mapping: mapping,
                hookedMappings: scanner?.reports(notes) ?? [:], matchedPaths: matched, records: records,
                keys: key?.keys(of: records), ordinals: ordinals)
        }
    }
}
