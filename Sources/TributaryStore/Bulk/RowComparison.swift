import TributarySQLite

/// The result of comparing the rows of a batch with a table.
package struct RowComparison: Sendable {
    /// For each row of the batch, then each folded row, the primary key of the row that it changes; 0 if it is new, -1
    /// if it writes nothing.
    package var keys: [Int64]
    /// Rows that replace several rows of one key.
    package private(set) var folded: RowBatch?
    /// The outcome of the rows.
    package var outcome = BulkOutcome()

    /// A comparison in which none of `count` rows writes anything.
    package init(count: Int) { keys = Array(repeating: -1, count: count) }

    /// The memory needed until it is written: the keys, the arrays that sort them, and the folded rows.
    package var byteCount: Int { keys.count * 32 + (folded?.byteCount ?? 0) }

    /// Adds a row that replaces several rows, with their combined values in `cells`.
    mutating func addFolded(_ cells: UnsafeMutableBufferPointer<SQLCell>, ordinal: Int, key: Int64) {
        let rows = folded ?? RowBatch(width: cells.count, capacity: 256)
        rows.begin(ordinal: ordinal)
        for cell in cells { rows.add(cell) }
        folded = rows
        keys.append(key)
    }

    /// Keeps only the rows that write something; returns them as a batch.
    package mutating func keepWritten(of batch: RowBatch) -> RowBatch {
        let written = batch.entries.indices.filter { keys[$0] >= 0 }
        keys.removeAll { $0 < 0 }
        return written.count < batch.count ? batch.rows(at: written) : batch
    }
}
