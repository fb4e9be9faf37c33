import TributaryGraph
import TributaryJSON

/// A chunk of records, made ready to be written.
final class PreparedChunk: Sendable {
    /// What one route gets of it.
    struct Part: Sendable {
        /// The route.
        let route: Int
        /// Rows; empty for a route with a closure.
        let rows: RowBatch?
        /// The records of a route with a closure.
        let records: [Record]
        /// For each of the records the hash of its key; nil if it has none.
        let hashes: [UInt64?]
        /// For each record its number among those of the chunk that share a table.
        let ordinals: [Int]
    }

    /// Something that was refused, and where in the chunk that was.
    struct Refusal: Sendable {
        let reject: Reject
        let route: Int
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
        byteCount = parts.reduce(chunk?.byteCount ?? 0) { $0 + ($1.rows?.byteCount ?? 0) }
    }
}
