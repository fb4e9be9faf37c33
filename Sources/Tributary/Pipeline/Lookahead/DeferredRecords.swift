import TributaryJSON

/// Records of a chunk for the thread that writes, because their keys are in an uncommitted chunk.
struct DeferredRecords: Sendable {
    private(set) var records: [Record] = []
    private(set) var hashes: [UInt64] = []
    /// For each record its ordinal among the records of its chunk that share its table.
    private(set) var ordinals: [Int] = []

    var isEmpty: Bool { records.isEmpty }
    var count: Int { records.count }

    mutating func append(_ record: Record, hash: UInt64, ordinal: Int) {
        records.append(record)
        hashes.append(hash)
        ordinals.append(ordinal)
    }
}
