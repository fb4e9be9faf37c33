package import TributaryStore
package import TributaryJSON

/// Records of a chunk whose keys were read.
package struct KeyedRecords: Sendable {
    package let records: [Record]
    /// The keys of the records, for `SortedKeys`.
    package let keys: RowBatch
    /// For each record its ordinal among the records of its chunk that share its table.
    package let ordinals: [Int]

    /// The records whose index passes a test.
    func subset(where isWanted: (Int) -> Bool) -> KeyedRecords {
        let wanted = records.indices.filter(isWanted)
        return KeyedRecords(
            records: wanted.map { records[$0] }, keys: keys.rows(at: wanted), ordinals: wanted.map { ordinals[$0] })
    }
}
