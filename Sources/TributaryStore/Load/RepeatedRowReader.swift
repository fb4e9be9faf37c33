import TributarySQLite

/// Gets records back from the rows of the file of a load.
final class RepeatedRowReader {
    private let table: BulkTable
    private let connection: Connection
    private let columns: SQLFragment
    private let batch: RowBatch
    private let scratch: UnsafeMutableBufferPointer<SQLCell>

    init(_ table: BulkTable, on connection: Connection) {
        self.table = table
        self.connection = connection
        columns = "\(table.columns.map { column -> SQLFragment in "\(identifier: column.name)" })"
        batch = RowBatch(width: table.columns.count)
        scratch = .allocate(capacity: table.columns.count)
    }

    deinit { scratch.deallocate() }

    /// The record of a row, packed until the next call, and the hash of its key; `lacks` says for which columns it has no
    /// value.
    func record(_ key: Int64, lacks: (_ column: Int) -> Bool) throws -> (packed: UnsafeRawBufferPointer, hash: UInt64) {
        batch.removeAll()
        batch.begin(ordinal: 0)
        let query: SQLFragment = "SELECT \(columns) FROM \(identifier: table.name) WHERE \"_pk\" = \(key)"
        try connection.withStatement(query) { row in
            guard try row.step() else {
                throw StoreError(
                    .damaged, connection.name, "the row \(key) of \(table.name) is missing",
                    hint: "begin again with resuming set to .restart")
            }
            for column in table.columns.indices {
                if lacks(column) { batch.addAbsent() } else { batch.add(row.cell(at: column)) }
            }
        }
        batch.finish(key: table.key, scratch: scratch)
        return (batch.packed(0), batch.entries[0].hash)
    }
}
