import TributarySQLite

/// Inserting rows.
extension BulkWriter {
    /// Completes the current row with defaults; refuses it and returns true if a mandatory column has no value.
    @inline(__always)
    func refusesWhole(_ place: Place, isNew: Bool) -> Bool {
        let (batch, row) = (Int(place.batch), Int(place.row))
        return refusesWhole(batches[batch].entries[row].isIncomplete, batch, row, isNew: isNew)
    }

    @inline(__always)
    private func refusesWhole(_ isIncomplete: Bool, _ batch: Int, _ row: Int, isNew: Bool) -> Bool {
        if isNew { defaults.complete(cells) } else { defaults.completeExisting(cells) }
        guard isIncomplete, let missing = defaults.missingColumn(in: cells) else { return false }
        refuse(Place(prefix: 0, batch: UInt32(batch), row: UInt32(row)), .incomplete(missing))
        return true
    }

    /// The primary key of the row that a record makes.
    @inline(__always)
    func primaryKey(of place: Place) -> Int64 {
        firstKeys[Int(place.batch)] + Int64(batches[Int(place.batch)].entries[Int(place.row)].ordinal)
    }

    /// Inserts rows in one statement.
    ///
    /// `next` puts the next row into `cells` and returns its primary key; nil if there are no more. `refused` is called if
    /// the last row violates a uniqueness constraint.
    func insertRows(_ next: () throws -> Int64?, refused: (SQLiteError) throws -> Void = { throw $0 }) throws {
        if let pages {
            // The first cell of a row after its key is the name of its entity.
            let (cells, keepsSeenKeys) = (UnsafeBufferPointer(rebasing: row[1...]), keepsSeenKeys)
            var keys: [Int64] = []
            while let key = try next() {
                try pages.add(key, cells)
                if keepsSeenKeys { keys.append(key) }
            }
            outcome.seenKeys += keys
            return
        }
        // Without rows, prepare no statement.
        var first = try next()
        guard first != nil else { return }
        let (row, keepsKeys) = (row, keepsKeys)
        var keys: [Int64] = []
        func make() throws -> Bool {
            defer { first = nil }
            guard let key = try first ?? next() else { return false }
            row[0] = SQLCell(key)
            if keepsKeys { keys.append(key) }
            return true
        }
        try connection.withUnboundStatement(table.insertion) { statement in
            try connection.rows.insert(through: copy statement, UnsafeBufferPointer(row), generatedBy: make) { error in
                if keepsKeys { keys.removeLast() }
                try refused(error)
            }
        }
        outcome.insertedKeys += keys
    }

    /// Inserts the rows of a batch at ascending `indexes`, whose keys are all new.
    func append(_ indexes: some Sequence<Int>, of number: Int) throws {
        let (batch, firstKey) = (batches[number], firstKeys[number])
        let entries = batch.entries
        var rest = indexes.makeIterator()
        try insertRows {
            while let index = rest.next() {
                batch.read(index, into: cells)
                if refusesWhole(entries[index].isIncomplete, number, index, isNew: true) { continue }
                outcome.counts.inserted += 1
                return firstKey + Int64(entries[index].ordinal)
            }
            return nil
        }
    }
}
