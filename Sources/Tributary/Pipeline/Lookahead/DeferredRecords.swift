import TributaryJSON

/// Records of a chunk that are left to the thread that writes, because records of their keys are not committed yet.
struct DeferredRecords: Sendable {
    private(set) var records: [Record] = []
    private(set) var hashes: [UInt64] = []
    /// For each its number among the records of its chunk that share a table.
    private(set) var ordinals: [Int] = []

    var isEmpty: Bool { records.isEmpty }
    var count: Int { records.count }

    mutating func append(_ record: Record, hash: UInt64, ordinal: Int) {
        records.append(record)
        hashes.append(hash)
        ordinals.append(ordinal)
    }
}
