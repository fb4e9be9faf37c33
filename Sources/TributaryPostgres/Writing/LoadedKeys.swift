import TributaryStore
import TributarySQLite

/// The keys of rows that a run has loaded into a table without an index, before it was interrupted.
enum LoadedKeys {
    /// Adds the keys of rows that a run holds back to a filter: a later row of the same key must not precede them.
    static func insertHeld(run: Int, route: Int, into filter: KeyFilter, on connection: PostgresConnection) throws {
        try connection.copyOutRows(
            """
            COPY (SELECT hash FROM _held WHERE run = \(PostgresSQL(number: run)) AND route = \(PostgresSQL(number: route)))
            TO STDOUT (FORMAT binary)
            """
        ) { fields in _ = filter.insert(UInt64(bigEndian: fields[0].loadUnaligned(as: UInt64.self))) }
    }

    /// Adds the keys of all rows of a table to a filter.
    static func insert(of target: TargetTable, into filter: KeyFilter, on connection: PostgresConnection) throws {
        let names = target.key.map { target.columns[$0].name }
        let batch = RowBatch(width: target.key.count)
        let cells = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: target.key.count)
        defer { cells.deallocate() }
        try connection.copyOutRows("COPY \(target.reference) (\(names: names)) TO STDOUT (FORMAT binary)") { fields in
            batch.begin(ordinal: 0)
            for (column, bytes) in zip(target.key, fields) { batch.add(target.columns[column].value(of: bytes)) }
            batch.finish(key: Array(target.key.indices), scratch: cells)
            _ = filter.insert(batch.entries[0].hash)
            batch.removeLast()
        }
    }
}

extension PostgresConnection {
    /// Runs a `COPY … TO STDOUT (FORMAT binary)`, and calls `body` with the fields of each row; null is empty.
    func copyOutRows(_ sql: PostgresSQL, _ body: ([UnsafeRawBufferPointer]) -> Void) throws {
        var (place, fields) = (CopyBuffer.header.count, [] as [UnsafeRawBufferPointer])
        try copyOut(sql) { data in
            func number<Value: FixedWidthInteger & BitwiseCopyable>(_ type: Value.Type) -> Value {
                defer { place += MemoryLayout<Value>.size }
                return Value(bigEndian: data.loadUnaligned(fromByteOffset: place, as: type))
            }
            while place + 2 <= data.count {
                let count = number(Int16.self)
                guard count > 0 else { break }
                fields.removeAll(keepingCapacity: true)
                for _ in 0..<count {
                    let length = max(0, Int(number(Int32.self)))
                    fields.append(UnsafeRawBufferPointer(rebasing: data[place..<place + length]))
                    place += length
                }
                body(fields)
            }
            // Only the first piece of data begins with a header.
            place = 0
        }
    }
}
