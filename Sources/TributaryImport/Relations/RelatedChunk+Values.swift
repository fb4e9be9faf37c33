import TributaryStore
package import TributarySQLite

extension RelatedChunk {
    /// A copy, with other values of attributes where `change` returns some.
    ///
    /// A writer replaces links in the rows of a chunk; those of a copy can be written again after a rollback.
    package func copy(
        _ plan: RelatedPlan, _ change: (_ unit: Int, _ column: Int, _ cell: SQLCell) -> SQLValue?
    ) -> RelatedChunk {
        var copies: [Rows] = []
        for (number, rows) in units.enumerated() {
            let unit = plan.units[number]
            let (columns, links) = (unit.rows.columns.indices, unit.columns.count)
            let batch = RowBatch(width: columns.count, capacity: rows.batch.byteCount)
            let cells = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: columns.count * 2)
            defer { cells.deallocate() }
            let row = UnsafeMutableBufferPointer(rebasing: cells[..<columns.count])
            for (index, entry) in rows.batch.entries.enumerated() {
                rows.batch.read(index, into: row)
                batch.begin(ordinal: entry.ordinal)
                for column in columns {
                    if column < links, row[column].kind == .integer {
                        batch.add(link: row[column].integer)
                    } else if column >= links, let value = change(number, column, row[column]) {
                        batch.add(value)
                    } else {
                        batch.add(row[column])
                    }
                }
                if entry.isIncomplete { batch.markIncomplete() }
                batch.mark(entry.kind)
                batch.finish(key: unit.rows.key, scratch: UnsafeMutableBufferPointer(rebasing: cells[columns.count...]))
            }
            copies.append(
                Rows(
                    batch: batch, records: rows.records, repeats: rows.repeats, matched: rows.matched,
                    report: rows.report))
        }
        return RelatedChunk(units: copies, mentions: mentions, others: others, objects: objects)
    }
}
