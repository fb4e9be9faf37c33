package import TributarySQLite

/// Compares batches of rows with a table: which rows are new, which change a row, which change nothing.
///
/// Rows of one key are folded into one, in feed order. Comparing only reads; a ``BulkWriter`` writes the result, which
/// is valid until another thread writes rows of the same keys.
package final class RowComparer {
    typealias Place = KeyOrder.Place

    /// The rows of one key, and the row of the table with this key.
    struct KeyGroup {
        /// The index of the first of them in `places`.
        var start: Int32
        var count: Int32
        /// The primary key of the row in the table; 0 if there is none, -1 if it belongs to another entity.
        var key: Int64 = 0
        /// The index in `places` of the row that is inserted; nil until it is known, -1 if there is none.
        var inserted: Int32?

        var range: Range<Int> { Int(start)..<Int(start + count) }
    }

    let table: BulkTable
    let mode: ImportMode
    /// Whether the rows are known by their places, so that each record replaces a row as a whole.
    private let isPositional: Bool
    private let connection: Connection
    let defaults: ColumnDefaults
    let lastOfKey: Int?
    let cells: UnsafeMutableBufferPointer<SQLCell>
    private var fold: RowFold
    @exclusivity(unchecked) private(set) var batches: [RowBatch] = []
    /// The rows sorted by key, those of one key in feed order.
    @exclusivity(unchecked) private(set) var places: [Place] = []
    @exclusivity(unchecked) private var results: [RowComparison] = []
    @exclusivity(unchecked) private var outcome = BulkOutcome()
    /// Whether outcomes contain the primary keys of the rows that were found by their keys.
    package var keepsSeenKeys = false
    /// For each batch and row its outcome; empty unless they are wanted.
    @exclusivity(unchecked) var outcomes: [[RecordOutcome]] = []

    /// A comparer for `table`, which has a key unless the caller knows the rows.
    package init(_ table: BulkTable, mode: ImportMode, isPositional: Bool = false, on connection: Connection) {
        self.table = table
        self.mode = mode
        self.isPositional = isPositional
        self.connection = connection
        defaults = ColumnDefaults(table)
        lastOfKey = table.key.max()
        cells = .allocate(capacity: table.columns.count)
        fold = RowFold(width: table.columns.count, fixed: table.fixed)
    }

    deinit {
        cells.deallocate()
        fold.current.deallocate()
    }

    /// Compares all rows, with one query for the keys and one for the rows of the table.
    ///
    /// - Returns: The comparison of each batch; the first one has the outcome of all rows.
    package func compare(_ batches: [RowBatch]) throws -> [RowComparison] {
        guard !batches.isEmpty else { return [] }
        return try compare(batches, runs(of: batches))
    }

    /// Compares rows whose keys were looked up.
    func compare(_ batches: [RowBatch], _ runs: [KeyGroup]) throws -> [RowComparison] {
        results = batches.map { RowComparison(count: $0.count) }
        outcome = BulkOutcome()
        if keepsSeenKeys { keepSeenKeys(of: runs, in: &outcome) }
        for run in runs where run.key <= 0 {
            if run.key < 0 { refuse(run) } else { compareNew(run) }
        }
        switch mode {
        case .insert: count(presentIn: runs, as: .duplicate)
        case .ignore: count(presentIn: runs, as: .skipped)
        case .upsert, .update, .replace:
            try compareChanges(runs.filter { $0.key > 0 }.sorted { $0.key < $1.key })
        }
        results[0].outcome = outcome
        defer { (self.batches, results) = ([], []) }
        return results
    }

    /// Adds the primary keys of rows that records have, or only refer to.
    func keepSeenKeys(of runs: [KeyGroup], in outcome: inout BulkOutcome) {
        for run in runs where run.key > 0 {
            if places[run.range].contains(where: { kind($0) != .reference }) {
                outcome.seenKeys.append(run.key)
            } else {
                outcome.referredKeys.append(run.key)
            }
        }
    }

    private func count(presentIn runs: [KeyGroup], as outcome: RecordOutcome) {
        for run in runs where run.key > 0 { for place in places[run.range] { count(place, outcome) } }
    }

    /// Counts a row; a reference has no outcome.
    @inline(__always)
    private func count(_ place: Place, _ result: RecordOutcome) {
        outcome.counts[result] += 1
        if !outcomes.isEmpty { outcomes[Int(place.batch)][Int(place.row)] = result }
    }

    @inline(__always)
    func kind(_ place: Place) -> RowBatch.Kind { batches[Int(place.batch)].entries[Int(place.row)].kind }

    /// Whether a row is replaced as a whole: what its record lacks is reset.
    @inline(__always)
    func isWhole(_ place: Place) -> Bool { isPositional || mode == .replace && kind(place) == .record }

    // MARK: Keys

    /// Sorts all rows by key, and looks the keys up in one query.
    func runs(of batches: [RowBatch]) throws -> [KeyGroup] {
        self.batches = batches
        let order = KeyOrder(of: batches, by: table.key)
        places = order.places
        var runs = order.ranges.map { KeyGroup(start: Int32($0.lowerBound), count: Int32($0.count)) }
        if connection.keys.alternateDirection() == .descending { runs.reverse() }
        try lookUp(&runs)
        return runs
    }

    /// The rows of each primary key, which the caller knows; those of `new` keys are new.
    func runs(of batches: [RowBatch], keys: [[Int64]], new: Set<Int64>) -> [KeyGroup] {
        self.batches = batches
        places.removeAll(keepingCapacity: true)
        for (number, batch) in batches.enumerated() {
            for row in batch.entries.indices {
                places.append(Place(prefix: 0, batch: UInt32(number), row: UInt32(row)))
            }
        }
        func key(_ place: Place) -> Int64 { keys[Int(place.batch)][Int(place.row)] }
        places.sort { (key($0), $0.batch, $0.row) < (key($1), $1.batch, $1.row) }
        var runs: [KeyGroup] = []
        for index in places.indices {
            let known = key(places[index])
            if index > 0, known > 0, key(places[index - 1]) == known {
                runs[runs.count - 1].count += 1
            } else {
                runs.append(KeyGroup(start: Int32(index), count: 1, key: new.contains(known) ? 0 : known))
            }
        }
        return runs
    }

    private func lookUp(_ runs: inout [KeyGroup]) throws {
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
    func read(_ place: Place) { batches[Int(place.batch)].read(Int(place.row), into: cells) }

    private func refuse(_ place: Place, _ fault: BulkOutcome.Fault) {
        let (batch, row) = (Int(place.batch), Int(place.row))
        outcome.refuse(batch, row, batches[batch].entries[row].ordinal, fault)
        if !outcomes.isEmpty { outcomes[batch][row] = .rejected }
    }

    private func refuse(_ run: KeyGroup) {
        for place in places[run.range] { refuse(place, .otherEntity(table.entity.name)) }
    }

    /// Completes the current row with defaults; refuses it and returns true if a mandatory column has no value.
    private func refusesWhole(_ place: Place, isNew: Bool) -> Bool {
        if isNew { defaults.complete(cells) } else { defaults.completeExisting(cells) }
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

    /// The index of the row of a new key that is inserted: the first one that is complete.
    func insertedPlace(of run: KeyGroup) -> Int? {
        run.range.first { index in
            guard kind(places[index]) != .reference else { return false }
            // Only an incomplete row can be refused.
            guard batches[Int(places[index].batch)].entries[Int(places[index].row)].isIncomplete else { return true }
            read(places[index])
            defaults.complete(cells)
            return defaults.missingColumn(in: cells) == nil
        }
    }

    /// Inserts the first accepted row of a new key, with the changes of later rows of the key folded in.
    private func compareNew(_ run: KeyGroup) {
        guard mode != .update else {
            for place in places[run.range] where kind(place) != .reference { count(place, .skipped) }
            return
        }
        let accepted = run.inserted.map(Int.init) ?? insertedPlace(of: run) ?? -1
        // All rows before it are incomplete, or references.
        for place in places[run.range.lowerBound..<(accepted < 0 ? run.range.upperBound : accepted)]
        where kind(place) != .reference {
            read(place)
            _ = refusesWhole(place, isNew: true)
        }
        guard accepted >= 0 else { return }
        count(places[accepted], .inserted)
        guard accepted + 1 < run.range.upperBound else { return write(places[accepted], key: 0) }
        read(places[accepted])
        defaults.complete(cells)
        fold.begin()
        _ = fold.apply(cells)
        for place in places[accepted + 1..<run.range.upperBound] where kind(place) != .reference {
            switch mode {
            case .insert: count(place, .duplicate)
            case .ignore: count(place, .skipped)
            case .upsert, .update, .replace:
                read(place)
                if isWhole(place), refusesWhole(place, isNew: false) { continue }
                table.dropStale(cells) { fold.current[$0] }
                count(place, fold.apply(cells) ? .updated : .unchanged)
            }
        }
        writeFold(places[accepted], key: 0)
    }

    /// Compares rows with those of the table; the keys of `runs` ascend.
    private func compareChanges(_ runs: [KeyGroup]) throws {
        guard !runs.isEmpty else { return }
        let list = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: runs.count)
        defer { list.deallocate() }
        for (index, run) in runs.enumerated() { list[index] = SQLCell(run.key) }
        try connection.keys.withRows(UnsafeBufferPointer(list)) {
            try connection.withUnboundStatement(table.reading) { stored in
                while try stored.step() {
                    let run = runs[Int(stored.integer(at: 0))]
                    if run.count == 1, table.newest.isEmpty {
                        compare(places[Int(run.start)], run.key, stored)
                    } else {
                        compare(run, stored)
                    }
                }
            }
        }
    }

    private func compare(_ place: Place, _ key: Int64, _ stored: borrowing Statement) {
        if kind(place) == .reference { return }
        read(place)
        if isWhole(place), refusesWhole(place, isNew: false) { return }
        for column in table.changeable
        where cells[column].kind != .absent && !stored.holds(cells[column], at: column + 1) {
            count(place, .updated)
            return write(place, key: key)
        }
        count(place, .unchanged)
    }

    private func compare(_ run: KeyGroup, _ stored: borrowing Statement) {
        fold.begin()
        for place in places[run.range] where kind(place) != .reference {
            read(place)
            if isWhole(place), refusesWhole(place, isNew: false) { continue }
            for guarded in table.newest {
                let known = fold.current[guarded.by]
                let current = known.kind == .absent ? stored.cell(at: guarded.by + 1) : known
                guard table.isOlder(cells[guarded.by], current) else { continue }
                for column in guarded.columns { cells[column] = .absent }
            }
            count(place, fold.apply(cells, stored, from: 1) ? .updated : .unchanged)
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
