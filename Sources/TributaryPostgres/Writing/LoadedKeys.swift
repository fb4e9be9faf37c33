import TributaryGraph
import TributarySQLite

/// The keys of rows that a run has loaded into a table without an index, before it was interrupted.
enum LoadedKeys {
    /// Adds the keys of all rows of a table to a filter.
    ///
    /// - Throws: `PostgresError`.
    static func insert(of target: TargetTable, into filter: KeyFilter, on connection: PostgresConnection) throws {
        let names = target.key.map { target.columns[$0].name }
        let batch = RowBatch(width: target.key.count)
        let cells = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: target.key.count)
        defer { cells.deallocate() }
        var isHeader = true
        try connection.copyOut("COPY \(target.reference) (\(names: names)) TO STDOUT (FORMAT binary)") { data in
            var place = isHeader ? CopyBuffer.header.count : 0
            isHeader = false
            while place + 2 <= data.count {
                let fields = Int16(bigEndian: data.loadUnaligned(fromByteOffset: place, as: Int16.self))
                guard fields > 0 else { return }
                place += 2
                batch.begin(ordinal: 0)
                for column in target.key {
                    let length = Int(Int32(bigEndian: data.loadUnaligned(fromByteOffset: place, as: Int32.self)))
                    place += 4
                    let bytes = UnsafeRawBufferPointer(rebasing: data[place..<place + max(0, length)])
                    place += max(0, length)
                    batch.add(target.columns[column].value(of: bytes))
                }
                batch.finish(key: Array(target.key.indices), scratch: cells)
                _ = filter.insert(batch.entries[0].hash)
                batch.removeLast()
            }
        }
    }
}
