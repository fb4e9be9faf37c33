import TributaryGraph
import TributaryJSON

/// A chunk of records, made ready to be written.
final class PreparedChunk: Sendable {
    /// What one route gets of it.
    struct Part: Sendable {
        /// The route.
        let route: Int
        /// Rows, those alone that write something if they have been compared; nil for a route with a closure.
        var rows: RowBatch?
        /// The records of a route with a closure, as long as that has not been called.
        private(set) var records: [Record]
        /// For each of the records the hash of its key; nil if it has none.
        private(set) var hashes: [UInt64?]
        /// For each record its number among those of the chunk that share a table.
        private(set) var ordinals: [Int]
        /// What the rows are to the table, if they have been compared with it.
        var comparison: RowComparison?
        /// The rows that were not, because their keys were on their way already.
        var late: RowBatch?
        /// Whether the closure of the route has been called.
        private(set) var isEvaluated = false
        /// Whether closures are to be called for its records by the thread that writes, besides the late ones.
        var isLeft: Bool { !isEvaluated && !records.isEmpty }
        /// The same of records of a route with a closure.
        private(set) var lateRecords: LateRecords?

        init(route: Int, rows: RowBatch?, records: [Record], hashes: [UInt64?], ordinals: [Int]) {
            self.route = route
            self.rows = rows
            self.records = records
            self.hashes = hashes
            self.ordinals = ordinals
        }

        /// The closure has been called for all but the late records.
        mutating func leaveRecords(_ late: LateRecords) {
            (records, hashes, ordinals) = ([], [], [])
            isEvaluated = true
            lateRecords = late.isEmpty ? nil : late
        }
    }

    /// Something that was refused, and where in the chunk that was.
    struct Refusal: Sendable {
        let reject: Reject
        /// Nil if it is not known whose record it was.
        let route: Int?
    }

    /// The records, while somebody may want to see them again.
    let chunk: RecordChunk?
    /// How many records were read.
    let recordCount: Int
    /// How many parts were no records.
    let unreadable: Int
    /// What was refused so far, in the order of the feed.
    let refusals: [Refusal]
    let parts: [Part]
    /// For each table how many numbers its records take.
    let numbers: [Int]
    /// Where reading can go on behind it.
    let checkpoint: Checkpoint
    /// Whether nothing may be written of what follows: the first refusal ends the import.
    let endsImport: Bool
    /// The same as it was made, where what was found out about it since then may turn out not to hold.
    let untouched: PreparedChunk?
    /// Its number in the feed, if it was worked on ahead of the thread that writes; else 0.
    let number: Int
    /// The memory it takes.
    let byteCount: Int

    init(
        chunk: RecordChunk?, recordCount: Int, unreadable: Int, refusals: [Refusal], parts: [Part], numbers: [Int],
        checkpoint: Checkpoint, endsImport: Bool
    ) {
        self.chunk = chunk
        self.recordCount = recordCount
        self.unreadable = unreadable
        self.refusals = refusals
        self.parts = parts
        self.numbers = numbers
        self.checkpoint = checkpoint
        self.endsImport = endsImport
        untouched = nil
        number = 0
        byteCount = PreparedChunk.byteCount(chunk, parts)
    }

    /// The same chunk, left to the thread that writes as it is.
    convenience init(_ chunk: PreparedChunk, number: Int) {
        self.init(
            chunk, number: number, parts: chunk.parts, found: [], remembered: 0, isDoubtful: false,
            stopsAtRefusal: false)
    }

    /// The same chunk, with what was found out about it; so many of its keys are remembered while it is on its way.
    init(
        _ chunk: PreparedChunk, number: Int, parts: [Part], found refusals: [Refusal], remembered keys: Int,
        isDoubtful: Bool, stopsAtRefusal: Bool
    ) {
        // A record that waits keeps its whole chunk.
        let isDone = parts.allSatisfy { $0.isEvaluated && $0.lateRecords == nil }
        self.chunk = isDone && !isDoubtful ? nil : chunk.chunk
        untouched = isDoubtful ? chunk : nil
        recordCount = chunk.recordCount
        unreadable = chunk.unreadable
        // Where the first refusal ends the import it stands at the end.
        let refused = refusals.sorted { $0.reject.offset < $1.reject.offset }
        self.refusals = chunk.refusals + (stopsAtRefusal ? Array(refused.prefix(1)) : refused)
        self.parts = parts
        numbers = chunk.numbers
        checkpoint = chunk.checkpoint
        endsImport = chunk.endsImport || stopsAtRefusal && !refusals.isEmpty
        self.number = number
        byteCount =
            PreparedChunk.byteCount(self.chunk, parts) + keys * KeysInFlight.bytesOfKey
            + (untouched?.recordCount ?? 0) * PreparedChunk.bytesOfRecord
    }

    /// What a record takes that is kept beside its chunk, with its hash and its number.
    private static let bytesOfRecord = 48

    private static func byteCount(_ chunk: RecordChunk?, _ parts: [Part]) -> Int {
        parts.reduce(chunk?.byteCount ?? 0) { sum, part in
            sum + (part.rows?.byteCount ?? 0) + (part.late?.byteCount ?? 0)
                + (part.comparison?.byteCount ?? 0)
        }
    }
}
