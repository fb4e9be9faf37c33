import TributarySQLite

/// Writing what was found to differ.
extension BulkWriter {
    // MARK: In the order of the rows

    /// First the rows that are there, by their numbers, then the new ones, by theirs: pages are visited once.
    func writeInRowOrder(_ runs: [Run]) throws {
        let present = runs.filter { $0.key > 0 }.sorted { $0.key < $1.key }
        for run in runs where run.key < 0 { refuseRun(run) }
        try change(present)
        var new: [(place: Int, run: Run)] = []
        for run in runs where run.key == 0 { settleNew(run, &new) }
        new.sort { (places[$0.place].batch, places[$0.place].row) < (places[$1.place].batch, places[$1.place].row) }
        var rest = new.makeIterator()
        try insertRows { rest.next().map { fill($0.place, $0.run) } }
    }

    func refuseRun(_ run: Run) {
        for place in range(of: run) { refuse(places[place], .otherEntity(table.entity.name)) }
    }

    private func range(of run: Run) -> Range<Int> { Int(run.start)..<Int(run.start + run.count) }

    /// Compares rows with what is said of them, and writes those that differ.
    private func change(_ runs: [Run]) throws {
        switch mode {
        case .insert:
            outcome.counts.duplicate += runs.reduce(0) { $0 + Int($1.count) }
            return
        case .ignore:
            outcome.counts.skipped += runs.reduce(0) { $0 + Int($1.count) }
            return
        case .upsert, .update, .replace: break
        }
        guard !runs.isEmpty else { return }
        let list = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: runs.count)
        defer { list.deallocate() }
        for (index, run) in runs.enumerated() { list[index] = SQLCell(run.key) }
        try connection.keys.withRows(UnsafeBufferPointer(list)) {
            try connection.withUnboundStatement(table.reading) { stored in
                try connection.withUnboundStatement(table.update) { update in
                    while try stored.step() {
                        try change(runs[Int(stored.integer(at: 0))], stored, update)
                    }
                }
            }
        }
    }

    private func change(_ run: Run, _ stored: borrowing Statement, _ update: borrowing Statement) throws {
        fold.begin(exists: true)
        for index in range(of: run) {
            read(places[index], into: cells)
            if mode == .replace, refusesReplacing(places[index]) { continue }
            if fold.take(cells, stored, from: 1) { outcome.counts.updated += 1 } else { outcome.counts.unchanged += 1 }
        }
        guard fold.isTouched, differs(from: stored) else { return }
        try writeFold(run.key, stored, update)
        if keepsKeys { outcome.updatedKeys.append(run.key) }
    }

    /// Fills in what a record does not say; true, and the record is refused, if something must be said.
    func refusesReplacing(_ place: Place) -> Bool {
        complete(cells)
        guard batches[Int(place.batch)].entries[Int(place.row)].isIncomplete, let lacking = lackingColumn(cells) else {
            return false
        }
        refuse(place, .incomplete(lacking))
        return true
    }

    /// Whether the row is not what the table has, after all records of its key.
    func differs(from stored: borrowing Statement) -> Bool {
        table.changeable.contains { !stored.holds(fold.current[$0], at: $0 + 1) }
    }

    func writeFold(_ key: Int64, _ stored: borrowing Statement, _ update: borrowing Statement) throws {
        for (place, column) in table.changeable.enumerated() {
            if fold.current[column].kind == .absent {
                try update.bind(columnOf: stored, column + 1, at: place)
            } else {
                try update.bind(fold.current[column], at: place)
            }
        }
        try update.bind(key, at: table.changeable.count)
        _ = try update.step()
        update.rewind()
    }

    // MARK: New rows

    /// Finds the record that makes the row of a key that is not there.
    private func settleNew(_ run: Run, _ new: inout [(place: Int, run: Run)]) {
        if mode == .update {
            outcome.counts.skipped += Int(run.count)
            return
        }
        for index in range(of: run) {
            let place = places[index]
            if batches[Int(place.batch)].entries[Int(place.row)].isIncomplete {
                read(place, into: cells)
                complete(cells)
                if let lacking = lackingColumn(cells) {
                    refuse(place, .incomplete(lacking))
                    continue
                }
            }
            new.append((index, run))
            return
        }
    }

    /// Makes the new row of a key, as the record at `place` says, and what later ones of the same key say of it; gives its
    /// number.
    private func fill(_ place: Int, _ run: Run) -> Int64 {
        read(places[place], into: cells)
        complete(cells)
        outcome.counts.inserted += 1
        let key = number(of: places[place])
        guard place + 1 < range(of: run).upperBound else { return key }
        fold.begin(exists: true)
        _ = fold.take(cells)
        for later in place + 1..<range(of: run).upperBound {
            switch mode {
            case .insert: outcome.counts.duplicate += 1
            case .ignore: outcome.counts.skipped += 1
            case .upsert, .update, .replace:
                read(places[later], into: cells)
                if mode == .replace, refusesReplacing(places[later]) { continue }
                if fold.take(cells) { outcome.counts.updated += 1 } else { outcome.counts.unchanged += 1 }
            }
        }
        _ = cells.update(fromContentsOf: fold.current)
        return key
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
