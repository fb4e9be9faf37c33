import TributarySQLite

/// Inserting rows.
extension BulkWriter {
    /// Fills in what a record does not say; true, and the record is refused, if something must be said.
    func refusesReplacing(_ place: Place) -> Bool {
        complete(cells)
        guard batches[Int(place.batch)].entries[Int(place.row)].isIncomplete, let lacking = lackingColumn(cells) else {
            return false
        }
        refuse(place, .incomplete(lacking))
        return true
    }

    /// The number that the row of a record gets.
    @inline(__always)
    func number(of place: Place) -> Int64 {
        firstKeys[Int(place.batch)] + Int64(batches[Int(place.batch)].entries[Int(place.row)].ordinal)
    }

    /// Inserts rows in one statement.
    ///
    /// - Parameters:
    ///   - next: Puts the next row into `cells` and gives its number; nil if there are no more.
    ///   - refused: Hears that the row made last has a value that is there already and must be unique; without it that
    ///     is an error.
    /// - Throws: `SQLiteError`, what the closures throw.
    func insertRows(_ next: () throws -> Int64?, refused: (SQLiteError) throws -> Void = { throw $0 }) throws {
        // Without rows there is no statement.
        var first = try next()
        guard first != nil else { return }
        try connection.withUnboundStatement(table.insertion) { statement in
            try insertRows(
                through: copy statement,
                {
                    defer { first = nil }
                    return try first ?? next()
                }, refused: refused)
        }
    }

    /// The same through the table's insertion, which somebody has at hand.
    func insertRows(
        through insertion: Statement, _ next: () throws -> Int64?, refused: (SQLiteError) throws -> Void
    ) throws {
        let (row, keepsKeys) = (row, keepsKeys)
        var keys: [Int64] = []
        func make() throws -> Bool {
            guard let key = try next() else { return false }
            row[0] = SQLCell(key)
            if keepsKeys { keys.append(key) }
            return true
        }
        try connection.rows.insert(through: insertion, UnsafeBufferPointer(row), madeBy: make) { error in
            if keepsKeys { keys.removeLast() }
            try refused(error)
        }
        outcome.insertedKeys += keys
    }

    /// Inserts rows in the order of the feed; none of their keys is there.
    func append(_ places: some Sequence<Place>) throws {
        var rest = places.makeIterator()
        try insertRows {
            while let place = rest.next() {
                read(place, into: cells)
                complete(cells)
                if batches[Int(place.batch)].entries[Int(place.row)].isIncomplete, let lacking = lackingColumn(cells) {
                    refuse(place, .incomplete(lacking))
                    continue
                }
                outcome.counts.inserted += 1
                return number(of: place)
            }
            return nil
        }
    }
}
