import TributaryGraph
import TributaryJSON

/// A chunk of records, made ready to be written.
final class PreparedChunk: Sendable {
    /// What one route gets of it.
    struct Part: Sendable {
        /// The route.
        let route: Int
        /// How many numbers of its table its records take, those included that were rejected since.
        let numberCount: Int
        /// The number of its first record among those of the chunk that share its table.
        let firstOrdinal: Int
        /// Rows, only those that write something once they have been compared; nil for a route with a setter.
        var rows: RowBatch?
        /// The records of a route with a setter, until it has been called.
        private(set) var records: [Record]
        /// For each of the records the hash of its key; nil if it has none.
        private(set) var hashes: [UInt64?]
        /// For each record its number among those of the chunk that share a table.
        private(set) var ordinals: [Int]
        /// How the rows relate to the table, if they have been compared with it.
        var comparison: RowComparison?
        /// The rows that were not compared, because their keys were not committed yet.
        var deferredRows: RowBatch?
        /// Whether the setter of the route has been called for all but the deferred records.
        private(set) var isEvaluated = false
        /// The same of records of a route with a setter.
        private(set) var deferredRecords: DeferredRecords?

        init(
            route: Int, numberCount: Int, firstOrdinal: Int, rows: RowBatch?, records: [Record], hashes: [UInt64?],
            ordinals: [Int]
        ) {
            self.route = route
            self.numberCount = numberCount
            self.firstOrdinal = firstOrdinal
            self.rows = rows
            self.records = records
            self.hashes = hashes
            self.ordinals = ordinals
        }

        /// The setter has been called for all but the deferred records.
        mutating func leaveRecords(_ deferred: DeferredRecords) {
            (records, hashes, ordinals) = ([], [], [])
            isEvaluated = true
            deferredRecords = deferred.isEmpty ? nil : deferred
        }
    }

    /// A reject, and where in the chunk it stood.
    struct RouteReject: Sendable {
        let reject: Reject
        /// Nil if it is not known whose record it was.
        let route: Int?
    }

    /// The records, as long as they may be needed again.
    let chunk: RecordChunk?
    /// How many records were read.
    let recordCount: Int
    /// How many parts were no records.
    let unreadable: Int
    /// What was rejected so far, in feed order.
    let rejects: [RouteReject]
    let parts: [Part]
    /// For each table how many numbers its records take.
    let numbers: [Int]
    /// The lines of its records, where that was asked for.
    let lines: [Int]
    /// Where reading resumes after it.
    let checkpoint: Checkpoint
    /// Whether nothing may be written of it and of what follows: the first reject ends the import.
    let endsImport: Bool
    /// Its number in the feed, if it was worked on ahead of the thread that writes; else 0.
    let number: Int
    /// The memory it takes.
    let byteCount: Int

    init(
        chunk: RecordChunk?, recordCount: Int, unreadable: Int, rejects: [RouteReject], parts: [Part], numbers: [Int],
        lines: [Int], checkpoint: Checkpoint, endsImport: Bool
    ) {
        self.chunk = chunk
        self.recordCount = recordCount
        self.unreadable = unreadable
        self.rejects = rejects
        self.parts = parts
        self.numbers = numbers
        self.lines = lines
        self.checkpoint = checkpoint
        self.endsImport = endsImport
        number = 0
        byteCount = PreparedChunk.byteCount(chunk, parts)
    }

    /// The same chunk, with what was found out about it; so many of its keys are remembered until it is committed.
    init(
        _ chunk: PreparedChunk, number: Int, parts: [Part], found rejects: [RouteReject], rememberedKeys keys: Int,
        stopsAtReject: Bool
    ) {
        // A deferred record keeps its whole chunk.
        let isDone = parts.allSatisfy { $0.isEvaluated && $0.deferredRecords == nil }
        self.chunk = isDone ? nil : chunk.chunk
        recordCount = chunk.recordCount
        unreadable = chunk.unreadable
        // Where the first reject ends the import it stands at the end.
        let found = rejects.sorted { $0.reject.offset < $1.reject.offset }
        self.rejects = chunk.rejects + (stopsAtReject ? Array(found.prefix(1)) : found)
        self.parts = parts
        numbers = chunk.numbers
        lines = chunk.lines
        checkpoint = chunk.checkpoint
        endsImport = chunk.endsImport || stopsAtReject && !rejects.isEmpty
        self.number = number
        byteCount = PreparedChunk.byteCount(self.chunk, parts) + keys * UncommittedKeys.bytesOfKey
    }

    private static func byteCount(_ chunk: RecordChunk?, _ parts: [Part]) -> Int {
        parts.reduce(chunk?.byteCount ?? 0) { sum, part in
            sum + (part.rows?.byteCount ?? 0) + (part.deferredRows?.byteCount ?? 0)
                + (part.comparison?.byteCount ?? 0)
        }
    }
}
