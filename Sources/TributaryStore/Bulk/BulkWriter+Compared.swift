import TributarySQLite

/// Writing rows that were compared with the table.
extension BulkWriter {
    /// Writes compared rows: first the changes, in the order of the rows of the table, then the new rows.
    ///
    /// A row is compared again if another program has changed the table since; only such rows are among the refused
    /// ones of the outcome. Rows that are changes of objects have values only for changed columns, and those that were
    /// deleted are an error.
    package func write(
        _ batches: [RowBatch], _ comparisons: [RowComparison], firstKeys: [Int64], ofObjects isOfObjects: Bool = false
    ) throws -> BulkOutcome {
        begin(batches, firstKeys: firstKeys)
        for comparison in comparisons {
            outcome.add(comparison.outcome)
            outcome.refused = []
        }
        let rows = Rows(batches, comparisons)
        // Attributes that an object does not change keep their values, in every mode.
        let isWhole = (mode == .replace || isPositional) && !isOfObjects
        let missed = try change(rows, isWhole: isWhole, ofObjects: isOfObjects) + insert(rows)
        guard !missed.isEmpty else { return end() }
        if isOfObjects, missed.contains(where: { $0.key > 0 }) {
            throw StoreError(
                .conflict, connection.name,
                "another program deleted objects of \(table.entity.name) during the import", hint: "import again")
        }
        return try compareAgain(missed, rows)
    }

    /// A row to be written.
    private struct Step {
        /// The primary key of the row that it changes; 0 if it is new.
        let key: Int64
        let batch: UInt32
        let row: UInt32
    }

    /// The rows of batches, each followed by the folded rows of its comparison.
    private struct Rows {
        let batches: [RowBatch]
        let comparisons: [RowComparison]
        let hasFolded: Bool
        let buffer = RowFile.Buffer()

        init(_ batches: [RowBatch], _ comparisons: [RowComparison]) {
            self.batches = batches
            self.comparisons = comparisons
            hasFolded = comparisons.contains { $0.folded != nil }
        }

        func steps(where isWanted: (Int64) -> Bool) -> [Step] {
            var steps: [Step] = []
            steps.reserveCapacity(comparisons.reduce(0) { $0 + $1.keys.count })
            for (number, comparison) in comparisons.enumerated() {
                for (row, key) in comparison.keys.enumerated() where isWanted(key) {
                    steps.append(Step(key: key, batch: UInt32(number), row: UInt32(row)))
                }
            }
            return steps
        }

        /// Reads the row of a step; returns its entry.
        @inline(__always)
        @discardableResult
        func load(_ step: Step, into cells: UnsafeMutableBufferPointer<SQLCell>) throws -> RowBatch.Entry {
            let (number, row) = (Int(step.batch), Int(step.row))
            let batch = batches[number]
            if hasFolded, row >= batch.count, let folded = comparisons[number].folded {
                folded.read(row - batch.count, into: cells)
                return folded.entries[row - batch.count]
            }
            try batch.load(row, into: cells, buffer)
            return batch.entries[row]
        }

        func ordinal(_ step: Step) -> Int {
            let (batch, row) = (batches[Int(step.batch)], Int(step.row))
            if row < batch.count { return batch.entries[row].ordinal }
            return comparisons[Int(step.batch)].folded?.entries[row - batch.count].ordinal ?? 0
        }
    }

    private func load(_ step: Step, _ rows: Rows, isWhole: Bool) throws {
        try rows.load(step, into: cells)
        // A folded row has values only where it differs from the table.
        let batch = rows.batches[Int(step.batch)]
        guard isWhole, Int(step.row) < batch.count, isPositional || batch.entries[Int(step.row)].kind == .record
        else { return }
        defaults.completeExisting(cells)
    }

    /// Writes the changes; returns those whose row was deleted.
    private func change(_ rows: Rows, isWhole: Bool, ofObjects isOfObjects: Bool) throws -> [Step] {
        var steps = rows.steps { $0 > 0 }
        steps.sort { $0.key < $1.key }
        if keepsKeys { outcome.updatedKeys += steps.map(\.key) }
        var missed: [Step] = []
        var done = 0
        if !steps.isEmpty { try load(steps[0], rows, isWhole: isWhole) }
        while done < steps.count {
            // Consecutive rows that change the same columns share a statement.
            let columns = changedColumns
            try connection.withUnboundStatement(update(of: columns)) { statement in
                repeat {
                    for (index, column) in columns.enumerated() { try statement.bind(cells[column], at: index) }
                    try statement.bind(steps[done].key, at: columns.count)
                    do {
                        _ = try statement.step()
                        if connection.changeCount == 0 { missed.append(steps[done]) }
                    } catch let error as SQLiteError where error.code.primary == .constraint && !isOfObjects {
                        throw violation(error)
                    }
                    statement.rewind()
                    done += 1
                    if done < steps.count { try load(steps[done], rows, isWhole: isWhole) }
                } while done < steps.count && changes(columns)
            }
        }
        return missed
    }

    /// The columns that the current row has values for, except the key.
    private var changedColumns: [Int] { table.changeable.filter { cells[$0].kind != .absent } }

    /// The statement that changes these columns; cached, as few sets of columns occur.
    func update(of columns: [Int]) -> String {
        guard table.columns.count <= 64 else { return table.update(of: columns) }
        let set = columns.reduce(0 as UInt64) { $0 | 1 << UInt64($1) }
        if let known = updates[set] { return known }
        let sql = table.update(of: columns)
        if updates.count < 64 { updates[set] = sql }
        return sql
    }

    @inline(__always)
    private func changes(_ columns: [Int]) -> Bool {
        var index = 0
        for column in table.changeable where cells[column].kind != .absent {
            guard index < columns.count, columns[index] == column else { return false }
            index += 1
        }
        return index == columns.count
    }

    /// Inserts new rows in feed order; returns those whose key exists since the comparison.
    private func insert(_ rows: Rows) throws -> [Step] {
        var steps = rows.steps { $0 == 0 }
        if rows.hasFolded {
            steps.sort { ($0.batch, rows.ordinal($0)) < ($1.batch, rows.ordinal($1)) }
        }
        var missed: [Step] = []
        var done = 0
        // Local copies avoid a load of each property for each row.
        let (firstKeys, cells, defaults) = (firstKeys, cells, defaults)
        try insertRows {
            guard done < steps.count else { return nil }
            let step = steps[done]
            let entry = try rows.load(step, into: cells)
            defaults.complete(cells)
            done += 1
            return firstKeys[Int(step.batch)] + Int64(entry.ordinal)
        } refused: { error in
            guard isComparingAgain else { return missed.append(steps[done - 1]) }
            throw violation(error)
        }
        return missed
    }

    /// The error for a constraint that the model does not state.
    private func violation(_ error: SQLiteError) -> StoreError {
        StoreError(
            .foreign, connection.name, "the table \(table.name) refuses a row: \(error.message)",
            hint: "drop the unique index or the trigger that was added to it, then import again")
    }

    /// Compares rows again that the table has changed since the comparison, and writes them.
    private func compareAgain(_ missed: [Step], _ rows: Rows) throws -> BulkOutcome {
        isComparingAgain = true
        defer { isComparingAgain = false }
        let keys = firstKeys
        var known = end()
        known.counts.inserted -= missed.count { $0.key == 0 }
        known.counts.updated -= missed.count { $0.key > 0 }
        known.updatedKeys.removeAll { key in missed.contains { $0.key == key } }
        for step in missed.sorted(by: { ($0.batch, $0.row) < ($1.batch, $1.row) }) {
            let batch = RowBatch(width: rows.batches[Int(step.batch)].width)
            let entry = try rows.load(step, into: cells)
            batch.begin(ordinal: entry.ordinal)
            for cell in cells { batch.add(cell) }
            batch.finish(key: table.key, scratch: others)
            if entry.isIncomplete { batch.markIncomplete() }
            var outcome = try apply([batch], firstKeys: [keys[Int(step.batch)]])
            for index in outcome.refused.indices {
                outcome.refused[index].batch = Int(step.batch)
                outcome.refused[index].row = -1
            }
            known.add(outcome)
        }
        return known
    }
}
