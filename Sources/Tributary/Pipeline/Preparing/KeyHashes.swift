import TributaryGraph
import TributaryJSON
import TributarySQLite

/// Hashes the keys of records, with the same result as for the keys of their rows.
struct KeyHashes: Sendable {
    private let key: RecordKey

    init(_ key: RecordKey) { self.key = key }

    /// The hash of each record's key; nil for one that has none.
    func hashes(of records: [Record]) -> [UInt64?] {
        if key.attributes.count == 1 { return records.map { key.value(of: $0).map(SQLCell.hash) } }
        let batch = RowBatch(width: key.attributes.count)
        let cells = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: key.attributes.count)
        defer { cells.deallocate() }
        let all = Array(key.attributes.indices)
        return records.map { record in
            guard let values = key.values(of: record) else { return nil }
            batch.begin(ordinal: 0)
            for value in values { batch.add(value) }
            batch.finish(key: all, scratch: cells)
            defer { batch.removeLast() }
            return batch.entries[0].hash
        }
    }
}
