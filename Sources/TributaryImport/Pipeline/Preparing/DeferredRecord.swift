import TributaryJSON

/// A record of a chunk for the thread that writes, because its key is in an uncommitted chunk.
struct DeferredRecord: Sendable {
    let record: Record
    /// The hash of its key.
    let hash: UInt64
    /// Its ordinal among the records of its chunk that share its table.
    let ordinal: Int
}
