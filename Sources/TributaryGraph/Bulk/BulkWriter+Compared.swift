import TributarySQLite

/// Writing what a comparison has found out.
extension BulkWriter {
    /// Writes the rows of batches that have been compared: first the changes, in the order of the rows, then what is new.
    ///
    /// A row is looked at anew if another program has been there meanwhile.
    ///
    /// - Parameters:
    ///   - batches: The rows.
    ///   - comparisons: For each batch what its rows are to the table.
    ///   - firstKeys: For each batch the number that its record of ordinal 0 gets, if it makes a row.
    ///   - isOfObjects: Whether they say what has changed of objects, which cannot be made anew of that.
    /// - Returns: What has become of all rows that were compared; refused are those alone that were looked at anew.
    /// - Throws: `SQLiteError`, `RowFile.Failure`, `SaveError` if an object is gone.
    package func write(
        _ batches: [RowBatch], _ comparisons: [RowComparison], firstKeys: [Int64], ofObjects isOfObjects: Bool = false
    ) throws -> BulkOutcome {
        begin(batches, firstKeys: firstKeys)
        for comparison in comparisons {
            outcome.add(comparison.outcome)
            outcome.refused = []
        }
        let room = RowFile.Room()
        // What an object does not change is as it was, in every mode.
        let isWhole = mode == .replace && !isOfObjects
        let missed = try change(comparisons, room, isWhole: isWhole) + insert(comparisons, room)
        guard !missed.isEmpty else { return end() }
        if isOfObjects, missed.contains(where: { $0.key > 0 }) {
            throw SaveError(
                .conflict, reason: "others have deleted objects of \(table.entity.name) meanwhile; import once more")
        }
        return try lookAgain(missed, room)
    }

    /// A row to be written.
    private struct Step {
        /// The row of the table that it changes; 0 if it is new.
        let key: Int64
        let batch: UInt32
        let row: UInt32
    }

    private func steps(_ comparisons: [RowComparison], where isWanted: (Int64) -> Bool) -> [Step] {
        var steps: [Step] = []
        steps.reserveCapacity(comparisons.reduce(0) { $0 + $1.writeCount })
        for (number, comparison) in comparisons.enumerated() {
            for (row, key) in comparison.keys.enumerated() where isWanted(key) {
                steps.append(Step(key: key, batch: UInt32(number), row: UInt32(row)))
            }
        }
        return steps
    }

    private func load(_ step: Step, _ room: RowFile.Room, isWhole: Bool) throws {
        try batches[Int(step.batch)].load(Int(step.row), into: cells, room)
        if isWhole { complete(cells) }
    }

    /// Writes the changes; gives back those whose row is gone.
    private func change(
        _ comparisons: [RowComparison], _ room: RowFile.Room, isWhole: Bool
    ) throws -> [Step] {
        var steps = steps(comparisons) { $0 > 0 }
        steps.sort { $0.key < $1.key }
        if keepsKeys { outcome.updatedKeys += steps.map(\.key) }
        var missed: [Step] = []
        var done = 0
        if !steps.isEmpty { try load(steps[0], room, isWhole: isWhole) }
        while done < steps.count {
            // Rows that speak of the same columns go through one statement, as long as they follow one another.
            let columns = spokenOf
            try connection.withUnboundStatement(update(of: columns)) { statement in
                repeat {
                    for (place, column) in columns.enumerated() { try statement.bind(cells[column], at: place) }
                    try statement.bind(steps[done].key, at: columns.count)
                    _ = try statement.step()
                    statement.rewind()
                    if connection.changeCount == 0 { missed.append(steps[done]) }
                    done += 1
                    if done < steps.count { try load(steps[done], room, isWhole: isWhole) }
                } while done < steps.count && speaksOf(columns)
            }
        }
        return missed
    }

    /// The columns that the row at hand speaks of, its key excepted: that is what it is found by.
    private var spokenOf: [Int] { table.changeable.filter { cells[$0].kind != .absent } }

    /// What changes these columns; rows that speak of some columns only come in a few kinds, again and again.
    private func update(of columns: [Int]) -> String {
        guard table.columns.count <= 64 else { return table.update(of: columns) }
        let kind = columns.reduce(0 as UInt64) { $0 | 1 << UInt64($1) }
        if let known = updates[kind] { return known }
        let sql = table.update(of: columns)
        if updates.count < 64 { updates[kind] = sql }
        return sql
    }

    @inline(__always)
    private func speaksOf(_ columns: [Int]) -> Bool {
        var place = 0
        for column in table.changeable where cells[column].kind != .absent {
            guard place < columns.count, columns[place] == column else { return false }
            place += 1
        }
        return place == columns.count
    }

    /// Writes what is new, in the order of the feed; gives back those whose key is there by now.
    private func insert(_ comparisons: [RowComparison], _ room: RowFile.Room) throws -> [Step] {
        let steps = steps(comparisons) { $0 == 0 }
        var missed: [Step] = []
        var done = 0
        // What does not change is asked for once, not for each of millions of rows.
        let (batches, firstKeys, cells, standards) = (batches, firstKeys, cells, standards)
        try insertRows {
            guard done < steps.count else { return nil }
            let (batch, row) = (Int(steps[done].batch), Int(steps[done].row))
            try batches[batch].load(row, into: cells, room)
            standards.complete(cells)
            done += 1
            return firstKeys[batch] + Int64(batches[batch].entries[row].ordinal)
        } refused: { _ in
            missed.append(steps[done - 1])
        }
        return missed
    }

    /// Carries rows into the table that are not to it any more what they were when they were compared.
    private func lookAgain(_ missed: [Step], _ room: RowFile.Room) throws -> BulkOutcome {
        let (batches, keys) = (batches, firstKeys)
        var known = end()
        known.counts.inserted -= missed.count { $0.key == 0 }
        known.counts.updated -= missed.count { $0.key > 0 }
        known.updatedKeys.removeAll { key in missed.contains { $0.key == key } }
        for step in missed.sorted(by: { ($0.batch, $0.row) < ($1.batch, $1.row) }) {
            let source = batches[Int(step.batch)]
            let batch = RowBatch(width: source.width)
            try source.load(Int(step.row), into: cells, room)
            let entry = source.entries[Int(step.row)]
            batch.begin(ordinal: entry.ordinal)
            for cell in cells { batch.add(cell) }
            batch.finish(key: table.key, scratch: others)
            if entry.isIncomplete { batch.markIncomplete() }
            var outcome = try apply([batch], firstKeys: [keys[Int(step.batch)]])
            for index in outcome.refused.indices {
                outcome.refused[index].batch = Int(step.batch)
                outcome.refused[index].row = Int(step.row)
            }
            known.add(outcome)
        }
        return known
    }
}
