import TributaryGraph
import TributaryJSON

/// A chunk of records that is ready to be written.
final class PreparedChunk: Sendable {
    /// The records of one route.
    struct Part: Sendable {
        /// The index of the route.
        let route: Int
        /// The number of primary keys that its records use, rejected ones included.
        let numberCount: Int
        /// The ordinal of its first record among the records of the chunk that share its table.
        let firstOrdinal: Int
        /// The rows, after a comparison only those that write something; nil until a setter has been called.
        var rows: RowBatch?
        /// The records of a route with a setter, until it has been called.
        private(set) var records: [Record]
        /// For each record the hash of its key; nil if it has none.
        private(set) var hashes: [UInt64?]
        /// For each record its ordinal among the records of the chunk that share its table.
        private(set) var ordinals: [Int]
        /// The comparison of the rows with the table; nil until it is made.
        var comparison: RowComparison?
        /// The rows that were not compared because their keys are in an uncommitted chunk.
        var deferredRows: RowBatch?
        /// Whether the setter of the route has been called for all but the deferred records.
        private(set) var isEvaluated = false
        /// The records whose setter was not called because their keys are in an uncommitted chunk.
        private(set) var deferredRecords: [DeferredRecord] = []

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

        /// Drops the records, for all of which but `deferred` the setter has been called.
        mutating func markEvaluated(deferring deferred: [DeferredRecord]) {
            (records, hashes, ordinals) = ([], [], [])
            isEvaluated = true
            deferredRecords = deferred
        }
    }

    /// A reject, and its route.
    struct RouteReject: Sendable {
        let reject: Reject
        /// The index of the route; nil if it is unknown.
        let route: Int?
    }

    /// The records, as long as they may be needed again.
    let chunk: RecordChunk?
    /// The number of records.
    let recordCount: Int
    /// The number of parts that could not be read as records.
    let unreadable: Int
    /// The rejects so far, in feed order.
    let rejects: [RouteReject]
    let parts: [Part]
    /// For each table the number of primary keys that its records use.
    let numbers: [Int]
    /// The lines of its records, in a retry.
    let lines: [Int]
    /// Where reading resumes after it.
    let checkpoint: Checkpoint
    /// Whether its first reject ends the import: then nothing of it and of later chunks may be written.
    let endsImport: Bool
    /// Its number in the feed, from 1; 0 if the thread that writes calls the setters and compares.
    let number: Int
    /// Its size in memory, in bytes.
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

    /// A chunk with the results of a comparer, which remembers `keys` of its keys until it is committed.
    init(
        _ chunk: PreparedChunk, number: Int, parts: [Part], rejects newRejects: [RouteReject], rememberedKeys keys: Int,
        stopsAtReject: Bool
    ) {
        // A deferred record needs its whole chunk.
        let isDone = parts.allSatisfy { $0.isEvaluated && $0.deferredRecords.isEmpty }
        self.chunk = isDone ? nil : chunk.chunk
        recordCount = chunk.recordCount
        unreadable = chunk.unreadable
        // If the first reject ends the import, it is the last one here.
        let added = newRejects.sorted { $0.reject.offset < $1.reject.offset }
        self.rejects = chunk.rejects + (stopsAtReject ? Array(added.prefix(1)) : added)
        self.parts = parts
        numbers = chunk.numbers
        lines = chunk.lines
        checkpoint = chunk.checkpoint
        endsImport = chunk.endsImport || stopsAtReject && !newRejects.isEmpty
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
