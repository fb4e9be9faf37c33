import TributaryStore
import TributaryJSON
import TributarySQLite

extension RecordKey {
    /// The hash of each record's key, equal to that of the key of its row; nil for a record that has none.
    func hashes(of records: [Record]) -> [UInt64?] {
        if attributes.count == 1 {
            var values = ProjectedValues()
            return records.map { record in
                if let number = integer(of: record, &values) { return SQLCell.hash(of: .integer(number)) }
                return value(of: record).map(SQLCell.hash)
            }
        }
        let batch = RowBatch(width: attributes.count)
        let cells = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: attributes.count)
        defer { cells.deallocate() }
        let all = Array(attributes.indices)
        return records.map { record in
            guard let key = values(of: record) else { return nil }
            batch.begin(ordinal: 0)
            for value in key { batch.add(value) }
            batch.finish(key: all, scratch: cells)
            defer { batch.removeLast() }
            return batch.entries[0].hash
        }
    }
}
