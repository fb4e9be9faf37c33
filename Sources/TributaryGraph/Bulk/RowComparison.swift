import TributarySQLite

/// How the rows of a batch relate to a table.
package struct RowComparison: Sendable {
    /// For each row of the batch, then for each folded one, the key of the row that it changes; 0 if it is new, -1 if it
    /// writes nothing.
    package internal(set) var keys: [Int64]
    /// Rows that stand for several rows of one key.
    package private(set) var folded: RowBatch?
    /// What becomes of the rows.
    package var outcome = BulkOutcome()

    /// Nothing is written of `count` rows.
    package init(count: Int) { keys = Array(repeating: -1, count: count) }

    /// The memory that it takes until it is written: the keys, what puts them in order then, and folded rows.
    package var byteCount: Int { keys.count * 32 + (folded?.byteCount ?? 0) }

    /// Adds a row that stands for several ones; in `cells` is what they say together.
    mutating func addFolded(_ cells: UnsafeMutableBufferPointer<SQLCell>, ordinal: Int, key: Int64) {
        let rows = folded ?? RowBatch(width: cells.count, capacity: 256)
        rows.begin(ordinal: ordinal)
        for cell in cells { rows.add(cell) }
        folded = rows
        keys.append(key)
    }

    /// The rows of `batch` that write something; those are the ones that are compared from now on.
    package mutating func keepWritten(of batch: RowBatch) -> RowBatch {
        let written = batch.entries.indices.filter { keys[$0] >= 0 }
        keys.removeAll { $0 < 0 }
        return written.count < batch.count ? batch.rows(at: written) : batch
    }
}
