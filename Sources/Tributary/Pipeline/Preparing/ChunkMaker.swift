import TributaryGraph
import TributaryJSON

/// Makes chunks ready to be written; apart from inferred columns a pure function, so that many can be made at the same time.
struct ChunkMaker: Sendable {
    /// What is made of the records of a route.
    enum Making: Sendable {
        case rows(RowMaker)
        /// Rows whose columns are inferred; chunks are made one after the other.
        case inferred(InferredRowMaker)
        /// They stay as they are; their keys are hashed where they are looked up ahead.
        case records(KeyHashes?)
    }

    /// For each route what is made of its records.
    let makings: [Making]
    /// For each route the table that gives its objects their numbers.
    let tables: [Int]
    let tableCount: Int
    /// Whether the parts of a chunk stand in feed order: a setter finds what came before in all routes.
    let keepsFeedOrder: Bool
    /// Whether chunks know the lines of their records.
    let keepsLines: Bool
    let stopsAtReject: Bool
    let rejectedBytes: Int

    /// Whether chunks are made one after the other, in the order of the feed.
    var isSerial: Bool {
        makings.contains { if case .inferred = $0 { true } else { false } }
    }

    /// Makes the first `limit` records of a chunk ready.
    ///
    /// - Parameters:
    ///   - chunk: What the reader gave.
    ///   - limit: How many of its records are wanted.
    ///   - isLast: Whether nothing is read behind the last of them, not even what is no record.
    /// - Returns: The chunk as the thread that writes wants it.
    func make(_ chunk: RecordChunk, limit: Int, isLast: Bool) -> PreparedChunk {
        var numbers = [Int](repeating: 0, count: tableCount)
        var rejected: [PreparedChunk.RouteReject] = []
        var unreadable = 0
        func note(_ reject: Reject) {
            // With several routes it is not known which of them it belonged to.
            rejected.append(.init(reject: reject, route: makings.count == 1 ? 0 : nil))
            unreadable += 1
        }
        var rejects = chunk.rejects[...]
        var parts: [PreparedChunk.Part] = []
        let count = min(limit, chunk.count)
        var work = makings.map { Work($0, expecting: count / makings.count, bytes: chunk.byteCount / 3) }
        // Routes into one table take turns there, or all routes do.
        var latest = [Int?](repeating: nil, count: keepsFeedOrder ? 1 : tableCount)
        var mayBeRefusedLater = false
        var endsImport = false
        var lines: [Int] = []
        for index in 0..<count {
            let record = chunk[index]
            if keepsLines { lines.append(record.line) }
            while let reject = rejects.first, reject.offset < record.offset {
                note(reject)
                rejects.removeFirst()
            }
            let route = min(record.route, makings.count - 1)
            let ordinal = numbers[tables[route]]
            numbers[tables[route]] += 1
            let turn = keepsFeedOrder ? 0 : tables[route]
            if let earlier = latest[turn], earlier != route, work[earlier].takenCount > 0 {
                if work[earlier].mayBeRefusedLater { mayBeRefusedLater = true }
                parts.append(work[earlier].part(earlier))
                work[earlier] = Work(makings[earlier], expecting: 0, bytes: 0)
            }
            latest[turn] = route
            if let error = work[route].take(record, ordinal) {
                rejected.append(.init(reject: record.reject(error, keepingBytes: rejectedBytes), route: route))
                if stopsAtReject {
                    endsImport = true
                    break
                }
            }
        }
        if !endsImport, !isLast { rejects.forEach(note) }
        for (route, work) in work.enumerated() where work.takenCount > 0 {
            parts.append(work.part(route))
            if work.mayBeRefusedLater { mayBeRefusedLater = true }
        }
        return PreparedChunk(
            chunk: mayBeRefusedLater ? chunk : nil, recordCount: count, unreadable: unreadable, rejects: rejected,
            parts: parts,
            numbers: numbers, lines: lines, checkpoint: chunk.checkpoint, endsImport: endsImport)
    }

    /// The records of one route of a chunk, while it is made.
    private final class Work {
        private let maker: RowMaker?
        private let found: InferredRowMaker.Making?
        private let batch: RowBatch?
        // One thread makes a chunk, and none of these is used by what is called while it changes.
        @exclusivity(unchecked) private var scratch: RowMaker.Scratch?
        private let hashes: KeyHashes?
        @exclusivity(unchecked) private var records: [Record] = []
        @exclusivity(unchecked) private var ordinals: [Int] = []
        @exclusivity(unchecked) private var firstOrdinal = 0
        /// How many records it has taken, rejected ones included.
        @exclusivity(unchecked) private(set) var takenCount = 0

        init(_ making: Making, expecting count: Int, bytes: Int) {
            switch making {
            case .rows(let maker):
                self.maker = maker
                batch = RowBatch(width: maker.table.columns.count, capacity: bytes)
                batch?.reserve(rows: count)
                scratch = RowMaker.Scratch(maker)
                hashes = nil
                found = nil
            case .inferred(let finder):
                maker = nil
                scratch = nil
                hashes = nil
                found = finder.begin()
                batch = found?.batch
            case .records(let hasher):
                hashes = hasher
                found = nil
                maker = nil
                batch = nil
                scratch = nil
                records.reserveCapacity(count)
                ordinals.reserveCapacity(count)
            }
        }

        func take(_ record: Record, _ ordinal: Int) -> JSONError? {
            if takenCount == 0 { firstOrdinal = ordinal }
            takenCount += 1
            if let found { return found.add(record, ordinal) }
            guard let maker, let batch else {
                records.append(record)
                ordinals.append(ordinal)
                return nil
            }
            // There is one wherever there is a maker.
            // swift-format-ignore: NeverForceUnwrap
            return maker.add(record, ordinal: ordinal, to: batch, &scratch!)
        }

        var mayBeRefusedLater: Bool {
            guard let maker, let batch else { return found == nil }
            return maker.table.mayRefuse || batch.hasIncompleteRows
        }

        func part(_ route: Int) -> PreparedChunk.Part {
            found?.end()
            return PreparedChunk.Part(
                route: route, numberCount: takenCount, firstOrdinal: firstOrdinal, rows: batch, records: records,
                hashes: hashes?.hashes(of: records) ?? [], ordinals: ordinals)
        }
    }
}
