import TributaryStore
import TributarySQLite

/// The keys of rows that a run has loaded into a table without an index, before it was interrupted.
enum LoadedKeys {
    /// Adds the keys of rows that a run holds back to a filter: a later row of the same key must not precede them.
    ///
    /// - Throws: `PostgresError`.
    static func insertHeld(
        run: Int, route: Int, into filter: KeyFilter, on connection: PostgresConnection
    ) throws {
        var last: Int64?
        while true {
            let rows = try connection.execute(
                """
                SELECT DISTINCT hash FROM _held WHERE run = $1::bigint AND route = $2::integer
                AND ($3::bigint IS NULL OR hash > $3) ORDER BY hash LIMIT 100000
                """, [.integer(Int64(run)), .integer(Int64(route)), last.map { .integer($0) } ?? .null])
            guard rows.rowCount > 0 else { return }
            for row in 0..<rows.rowCount {
                guard let hash = rows.integer(row, 0) else { continue }
                _ = filter.insert(UInt64(bitPattern: hash))
                last = hash
            }
        }
    }

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
