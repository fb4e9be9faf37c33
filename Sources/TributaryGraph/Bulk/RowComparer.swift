package import TributarySQLite

/// Compares batches of rows with a table: which are new, which change a row, which say nothing new.
///
/// It only reads, so it needs no more than a connection for reading; a ``BulkWriter`` does what it has found out, and
/// does not look again. That is right as long as nobody writes rows of the same keys in between, and no key comes twice.
package final class RowComparer {
    private let table: BulkTable
    private let mode: BulkMode
    private let connection: Connection
    private let standards: RowStandards
    private let lastOfKey: Int?
    private let cells: UnsafeMutableBufferPointer<SQLCell>
    private let others: UnsafeMutableBufferPointer<SQLCell>

    /// Compares with `table`, which has a key.
    package init(_ table: BulkTable, mode: BulkMode, on connection: Connection) {
        self.table = table
        self.mode = mode
        self.connection = connection
        standards = RowStandards(table)
        lastOfKey = table.key.max()
        cells = .allocate(capacity: table.columns.count)
        others = .allocate(capacity: table.columns.count)
    }

    deinit {
        cells.deallocate()
        others.deallocate()
    }

    /// Compares the rows at `rows` of a batch: with one query for the keys, and one for what they stand for.
    ///
    /// - Throws: `SQLiteError`.
    package func compare(_ rows: [Int], of batch: RowBatch) throws -> RowComparison {
        var result = RowComparison(count: batch.count)
        guard !rows.isEmpty else { return result }
        var sorted = sort(rows, of: batch)
        if connection.keys.turnsBack() { sorted.reverse() }
        var present = try find(sorted, of: batch)
        for (row, key) in zip(sorted, present) {
            if key < 0 {
                result.outcome.refused.append((0, row, .otherEntity(table.entity.name)))
            } else if key == 0 {
                settleNew(row, of: batch, &result)
            }
        }
        switch mode {
        case .insert: result.outcome.counts.duplicate += present.count { $0 > 0 }
        case .ignore: result.outcome.counts.skipped += present.count { $0 > 0 }
        case .upsert, .update, .replace:
            let places = present.indices.filter { present[$0] > 0 }.sorted { present[$0] < present[$1] }
            present = places.map { present[$0] }
            try readChanges(places.map { sorted[$0] }, present, of: batch, &result)
        }
        return result
    }

    /// In the order of the keys, as the index has them.
    private func sort(_ rows: [Int], of batch: RowBatch) -> [Int] {
        var places = rows.map { (prefix: batch.entries[$0].prefix, row: $0) }
        places.sort { left, right in
            if left.prefix != right.prefix { return left.prefix < right.prefix }
            batch.read(left.row, upTo: lastOfKey, into: cells)
            batch.read(right.row, upTo: lastOfKey, into: others)
            for column in table.key {
                if let isBefore = cells[column].comes(before: others[column]) { return isBefore }
            }
            return false
        }
        return places.map(\.row)
    }

    /// For each row the number of that which has its key; 0 if there is none, -1 if it is that of another entity.
    private func find(_ rows: [Int], of batch: RowBatch) throws -> [Int64] {
        let width = table.key.count
        let list = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: rows.count * width)
        defer { list.deallocate() }
        for (number, row) in rows.enumerated() {
            batch.read(row, upTo: lastOfKey, into: cells)
            for (index, column) in table.key.enumerated() { list[number * width + index] = cells[column] }
        }
        var found = [Int64](repeating: 0, count: rows.count)
        try connection.keys.withRows(UnsafeBufferPointer(list), width: width) {
            try connection.withUnboundStatement(table.lookup) { statement in
                while try statement.step() {
                    let isOurs = table.kinds?.contains(statement.text(at: 2)) ?? true
                    found[Int(statement.integer(at: 0))] = isOurs ? statement.integer(at: 1) : -1
                }
            }
        }
        return found
    }

    private func settleNew(_ row: Int, of batch: RowBatch, _ result: inout RowComparison) {
        guard mode != .update else { return result.outcome.counts.skipped += 1 }
        if batch.entries[row].isIncomplete, let lacking = lacking(row, of: batch) {
            return result.outcome.refused.append((0, row, .incomplete(lacking)))
        }
        result.outcome.counts.inserted += 1
        result.keys[row] = 0
        result.insertionCount += 1
    }

    /// What a row lacks that it must have if it stands for itself.
    private func lacking(_ row: Int, of batch: RowBatch) -> String? {
        batch.read(row, into: cells)
        standards.complete(cells)
        return standards.lackingColumn(cells)
    }

    /// Reads what the rows stand for; `numbers` ascend.
    private func readChanges(
        _ rows: [Int], _ numbers: [Int64], of batch: RowBatch, _ result: inout RowComparison
    ) throws {
        guard !rows.isEmpty else { return }
        let list = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: rows.count)
        defer { list.deallocate() }
        for (index, number) in numbers.enumerated() { list[index] = SQLCell(number) }
        try connection.keys.withRows(UnsafeBufferPointer(list)) {
            try connection.withUnboundStatement(table.reading) { stored in
                while try stored.step() {
                    let place = Int(stored.integer(at: 0))
                    try compare(rows[place], numbers[place], stored, of: batch, &result)
                }
            }
        }
    }

    private func compare(
        _ row: Int, _ number: Int64, _ stored: borrowing Statement, of batch: RowBatch, _ result: inout RowComparison
    ) throws {
        batch.read(row, into: cells)
        if mode == .replace {
            standards.complete(cells)
            if batch.entries[row].isIncomplete, let lacking = standards.lackingColumn(cells) {
                return result.outcome.refused.append((0, row, .incomplete(lacking)))
            }
        }
        for column in table.changeable
        where cells[column].kind != .absent && !stored.holds(cells[column], at: column + 1) {
            result.outcome.counts.updated += 1
            result.keys[row] = number
            return
        }
        result.outcome.counts.unchanged += 1
    }
}
