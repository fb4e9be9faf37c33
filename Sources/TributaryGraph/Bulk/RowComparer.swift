package import TributarySQLite

/// Compares batches of rows with a table: which rows are new, which change a row, which change nothing.
///
/// Rows of one key are folded into one, in feed order. Comparing only reads; a ``BulkWriter`` writes the result, which
/// is valid until another thread writes rows of the same keys.
package final class RowComparer {
    /// Where a row is: the sort prefix of its key, its batch, and its index in the batch.
    struct Place {
        var prefix: UInt64
        var batch: UInt32
        var row: UInt32
    }

    /// The rows of one key, and the row of the table with this key.
    struct Run {
        /// The index of the first of them in `places`.
        var start: Int32
        var count: Int32
        /// The primary key of the row in the table; 0 if there is none, -1 if it belongs to another entity.
        var key: Int64 = 0

        var range: Range<Int> { Int(start)..<Int(start + count) }
    }

    private let table: BulkTable
    private let mode: ImportMode
    private let connection: Connection
    private let defaults: ColumnDefaults
    private let lastOfKey: Int?
    private let cells: UnsafeMutableBufferPointer<SQLCell>
    private let others: UnsafeMutableBufferPointer<SQLCell>
    private var fold: RowFold
    @exclusivity(unchecked) private var batches: [RowBatch] = []
    /// The rows sorted by key, those of one key in feed order.
    @exclusivity(unchecked) private(set) var places: [Place] = []
    @exclusivity(unchecked) private var results: [RowComparison] = []
    @exclusivity(unchecked) private var outcome = BulkOutcome()

    /// A comparer for `table`, which has a key.
    package init(_ table: BulkTable, mode: ImportMode, on connection: Connection) {
        self.table = table
        self.mode = mode
        self.connection = connection
        defaults = ColumnDefaults(table)
        lastOfKey = table.key.max()
        cells = .allocate(capacity: table.columns.count)
        others = .allocate(capacity: table.columns.count)
        fold = RowFold(width: table.columns.count, key: table.key)
    }

    deinit {
        cells.deallocate()
        others.deallocate()
        fold.current.deallocate()
    }

    /// Compares all rows, with one query for the keys and one for the rows of the table.
    ///
    /// - Returns: The comparison of each batch; the first one has the outcome of all rows.
    /// - Throws: `SQLiteError`.
    package func compare(_ batches: [RowBatch]) throws -> [RowComparison] {
        guard !batches.isEmpty else { return [] }
        let runs = try runs(of: batches)
        results = batches.map { RowComparison(count: $0.count) }
        outcome = BulkOutcome()
        for run in runs where run.key <= 0 {
            if run.key < 0 { refuse(run) } else { compareNew(run) }
        }
        switch mode {
        case .insert: outcome.counts.duplicate += presentCount(runs)
        case .ignore: outcome.counts.skipped += presentCount(runs)
        case .upsert, .update, .replace:
            try compareChanges(runs.filter { $0.key > 0 }.sorted { $0.key < $1.key })
        }
        results[0].outcome = outcome
        defer { (self.batches, results) = ([], []) }
        return results
    }

    private func presentCount(_ runs: [Run]) -> Int { runs.reduce(0) { $1.key > 0 ? $0 + Int($1.count) : $0 } }

    // MARK: Keys

    /// Sorts all rows by key, and looks the keys up in one query.
    func runs(of batches: [RowBatch]) throws -> [Run] {
        self.batches = batches
        sort()
        var runs: [Run] = []
        runs.reserveCapacity(places.count)
        for index in places.indices {
            if index > 0, places[index].prefix == places[index - 1].prefix,
                isBefore(places[index - 1], places[index]) == nil
            {
                runs[runs.count - 1].count += 1
            } else {
                runs.append(Run(start: Int32(index), count: 1))
            }
        }
        if connection.keys.alternateDirection() == .descending { runs.reverse() }
        try lookUp(&runs)
        return runs
    }

    private func sort() {
        places.removeAll(keepingCapacity: true)
        places.reserveCapacity(batches.reduce(0) { $0 + $1.count })
        for (number, batch) in batches.enumerated() {
            for (row, entry) in batch.entries.enumerated() {
                places.append(
                    Place(
                        prefix: entry.prefix, batch: UInt32(truncatingIfNeeded: number),
                        row: UInt32(truncatingIfNeeded: row)))
            }
        }
        places.sort { left, right in
            if left.prefix != right.prefix { return left.prefix < right.prefix }
            if let isBefore = isBefore(left, right) { return isBefore }
            return left.batch != right.batch ? left.batch < right.batch : left.row < right.row
        }
    }

    /// Whether the key of one row sorts before that of another; nil if the keys are equal.
    private func isBefore(_ left: Place, _ right: Place) -> Bool? {
        batches[Int(left.batch)].read(Int(left.row), upTo: lastOfKey, into: cells)
        batches[Int(right.batch)].read(Int(right.row), upTo: lastOfKey, into: others)
        for column in table.key {
            if let isBefore = cells[column].comes(before: others[column]) { return isBefore }
        }
        return nil
    }

    private func lookUp(_ runs: inout [Run]) throws {
        let width = table.key.count
        let list = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: max(1, runs.count * width))
        defer { list.deallocate() }
        for (number, run) in runs.enumerated() {
            let place = places[Int(run.start)]
            batches[Int(place.batch)].read(Int(place.row), upTo: lastOfKey, into: cells)
            for (index, column) in table.key.enumerated() { list[number * width + index] = cells[column] }
        }
        let rows = UnsafeBufferPointer(rebasing: list[..<(runs.count * width)])
        try connection.keys.withRows(rows, width: width) {
            try connection.withUnboundStatement(table.lookup) { statement in
                while try statement.step() {
                    let isOurs = table.kinds?.contains(statement.text(at: 2)) ?? true
                    runs[Int(statement.integer(at: 0))].key = isOurs ? statement.integer(at: 1) : -1
                }
            }
        }
    }

    // MARK: Rows

    @inline(__always)
    private func read(_ place: Place) { batches[Int(place.batch)].read(Int(place.row), into: cells) }

    private func refuse(_ place: Place, _ fault: BulkOutcome.Fault) {
        let (batch, row) = (Int(place.batch), Int(place.row))
        outcome.refuse(batch, row, batches[batch].entries[row].ordinal, fault)
    }

    private func refuse(_ run: Run) {
        for place in places[run.range] { refuse(place, .otherEntity(table.entity.name)) }
    }

    /// Completes the current row with defaults; refuses it and returns true if a mandatory column has no value.
    private func refusesWhole(_ place: Place) -> Bool {
        defaults.complete(cells)
        guard batches[Int(place.batch)].entries[Int(place.row)].isIncomplete,
            let missing = defaults.missingColumn(in: cells)
        else { return false }
        refuse(place, .incomplete(missing))
        return true
    }

    private func write(_ place: Place, key: Int64) { results[Int(place.batch)].keys[Int(place.row)] = key }

    /// Writes the folded row instead of the rows of a run; a new row gets the ordinal of `place`.
    private func writeFold(_ place: Place, key: Int64) {
        let batch = batches[Int(place.batch)]
        results[Int(place.batch)].addFolded(fold.current, ordinal: batch.entries[Int(place.row)].ordinal, key: key)
    }

    /// Inserts the first accepted row of a new key, with the changes of later rows of the key folded in.
    private func compareNew(_ run: Run) {
        guard mode != .update else { return outcome.counts.skipped += Int(run.count) }
        let accepted = run.range.first { index in
            // Only an incomplete row can be refused.
            guard batches[Int(places[index].batch)].entries[Int(places[index].row)].isIncomplete else { return true }
            read(places[index])
            return !refusesWhole(places[index])
        }
        guard let accepted else { return }
        outcome.counts.inserted += 1
        guard accepted + 1 < run.range.upperBound else { return write(places[accepted], key: 0) }
        read(places[accepted])
        defaults.complete(cells)
        fold.begin()
        _ = fold.apply(cells)
        for place in places[accepted + 1..<run.range.upperBound] {
            switch mode {
            case .insert: outcome.counts.duplicate += 1
            case .ignore: outcome.counts.skipped += 1
            case .upsert, .update, .replace:
                read(place)
                if mode == .replace, refusesWhole(place) { continue }
                if fold.apply(cells) { outcome.counts.updated += 1 } else { outcome.counts.unchanged += 1 }
            }
        }
        writeFold(places[accepted], key: 0)
    }

    /// Compares rows with those of the table; the keys of `runs` ascend.
    private func compareChanges(_ runs: [Run]) throws {
        guard !runs.isEmpty else { return }
        let list = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: runs.count)
        defer { list.deallocate() }
        for (index, run) in runs.enumerated() { list[index] = SQLCell(run.key) }
        try connection.keys.withRows(UnsafeBufferPointer(list)) {
            try connection.withUnboundStatement(table.reading) { stored in
                while try stored.step() {
                    let run = runs[Int(stored.integer(at: 0))]
                    if run.count == 1 { compare(places[Int(run.start)], run.key, stored) } else { compare(run, stored) }
                }
            }
        }
    }

    private func compare(_ place: Place, _ key: Int64, _ stored: borrowing Statement) {
        read(place)
        if mode == .replace, refusesWhole(place) { return }
        for column in table.changeable
        where cells[column].kind != .absent && !stored.holds(cells[column], at: column + 1) {
            outcome.counts.updated += 1
            return write(place, key: key)
        }
        outcome.counts.unchanged += 1
    }

    private func compare(_ run: Run, _ stored: borrowing Statement) {
        fold.begin()
        for place in places[run.range] {
            read(place)
            if mode == .replace, refusesWhole(place) { continue }
            if fold.apply(cells, stored, from: 1) { outcome.counts.updated += 1 } else { outcome.counts.unchanged += 1 }
        }
        // A later row may undo the changes of an earlier one.
        guard fold.isTouched,
            table.changeable.contains(where: { column in
                fold.current[column].kind != .absent && !stored.holds(fold.current[column], at: column + 1)
            })
        else { return }
        writeFold(places[Int(run.start)], key: run.key)
    }
}
