import TributarySQLite

/// Writing record by record into a table with triggers, or with uniqueness constraints besides the key.
///
/// Which records conflict depends on their order, and only a record that conflicts is refused.
extension BulkWriter {
    /// The current state of the row of a key.
    private struct Image {
        /// The primary key of the row; 0 if there is none.
        var key: Int64
        /// The index of its values in the batch of images; -1 if there are none.
        var row = -1
    }

    /// The outcome of a row, and its primary key.
    private typealias Written = (outcome: RecordOutcome, key: Int64)

    /// Writes rows of batches one after the other: each is looked up when the triggers of earlier ones have run.
    func applyEach(_ batches: [RowBatch], firstKeys: [Int64]) throws -> BulkOutcome {
        checksReferences = true
        defer { checksReferences = false }
        var all = BulkOutcome()
        for (number, batch) in batches.enumerated() {
            for row in 0..<batch.count {
                begin([batch.rows(at: CollectionOfOne(row))], firstKeys: [firstKeys[number]])
                if let comparer {
                    let runs = try comparer.runs(of: self.batches)
                    if keepsSeenKeys { comparer.keepSeenKeys(of: runs, in: &outcome) }
                    try writeInFeedOrder(runs, comparer.places)
                } else {
                    try appendEach(of: 0)
                }
                var written = end()
                for index in written.refused.indices {
                    (written.refused[index].batch, written.refused[index].row) = (number, row)
                }
                all.add(written)
            }
        }
        return all
    }

    /// Inserts the rows of a batch, which have no key, one after the other.
    func appendEach(of number: Int) throws {
        try connection.withUnboundStatement(table.insertionOfOne) { insertion in
            let insertion = copy insertion
            for row in 0..<batches[number].count {
                let place = Place(prefix: 0, batch: UInt32(number), row: UInt32(row))
                let key = primaryKey(of: place)
                try attempt(place) { try insert(place, key: key, through: insertion).map { ($0, key) } }
            }
        }
    }

    /// Writes rows; a new row gets the primary key in `planned` of its run, or that of its record if it is 0.
    ///
    /// - Returns: The planned primary keys of rows that were not inserted.
    @discardableResult
    func writeInFeedOrder(
        _ runs: [RowComparer.KeyGroup], _ places: [Place], planned: [Int64] = []
    ) throws -> [Int64] {
        let images = RowBatch(width: table.columns.count)
        var states = runs.map { Image(key: $0.key) }
        let present = runs.indices.filter { runs[$0].key > 0 }.sorted { runs[$0].key < runs[$1].key }
        try readImages(present.map { ($0, runs[$0].key) }, into: images, &states)
        // Places without a run are not written.
        var runOfPlace = [Int32](repeating: -1, count: places.count)
        for (number, run) in runs.enumerated() {
            for index in run.range { runOfPlace[index] = Int32(number) }
        }
        let order = places.indices.sorted { (places[$0].batch, places[$0].row) < (places[$1].batch, places[$1].row) }
        try connection.withUnboundStatement(table.insertionOfOne) { insertion in
            let insertion = copy insertion
            for index in order where runOfPlace[index] >= 0 {
                let (run, place) = (Int(runOfPlace[index]), places[index])
                let key = planned.isEmpty || planned[run] == 0 ? primaryKey(of: place) : planned[run]
                try attempt(place) {
                    // A trigger may have changed the row since.
                    if hasTriggers, states[run].key > 0 {
                        images.removeAll()
                        try readImages([(run, states[run].key)], into: images, &states)
                    }
                    return try write(place, &states[run], images, newKey: key, insertion)
                }
            }
        }
        return planned.indices.filter { states[$0].key == 0 && planned[$0] > 0 }.map { planned[$0] }
    }

    /// Reads the rows of some keys, which ascend, each for the state of an index.
    private func readImages(
        _ present: [(state: Int, key: Int64)], into images: RowBatch, _ states: inout [Image]
    ) throws {
        for (state, _) in present { states[state].row = -1 }
        try connection.keys.withKeys(present.map(\.key)) {
            try connection.withUnboundStatement(table.reading) { stored in
                while try stored.step() {
                    states[present[Int(stored.integer(at: 0))].state].row = images.count
                    images.begin(ordinal: 0)
                    for column in table.columns.indices { images.add(stored.value(at: column + 1)) }
                }
            }
        }
    }

    /// Writes one row by `body`, and counts its outcome; one that the table refuses is undone alone.
    private func attempt(_ place: Place, _ body: () throws -> Written?) throws {
        if let known = refusals[Int(place.batch)]?[Int(place.row)] {
            guard let fault = known else { return count(place, .skipped) }
            return refuse(place, fault)
        }
        let written: Written?
        do {
            written =
                try hasTriggers
                ? connection.transaction {
                    let written = try body()
                    if checksReferences { try connection.checkReferences() }
                    return written
                } : body()
        } catch let error as SQLiteError where error.isUniqueViolation || hasTriggers && error.isRefusal {
            guard connection.isInTransaction else { throw connection.rolledBack(byTriggerOf: table.name, error) }
            return refuse(
                place,
                error.isUniqueViolation ? .notUnique(error.message + values(of: error)) : .violated(error.message))
        }
        guard let (result, key) = written else { return }
        count(place, result)
        guard keepsKeys else { return }
        if result == .inserted { outcome.insertedKeys.append(key) }
        if result == .updated { outcome.updatedKeys.append(key) }
    }

    /// The values of the current row that violate a unique index, as the end of a sentence.
    private func values(of error: SQLiteError) -> String {
        // The message ends with the columns: "UNIQUE constraint failed: users.email, users.site".
        let columns = table.columns.indices.filter { index in
            let name = "\(table.name).\(table.columns[index].name)"
            return error.message.hasSuffix(": \(name)") || error.message.hasSuffix(", \(name)")
                || error.message.contains(": \(name), ") || error.message.contains(", \(name), ")
        }
        let values = columns.prefix(8).compactMap { index -> String? in
            guard cells[index].kind != .absent else { return nil }
            return "\(table.columns[index].attributeName) is \(cells[index].value.excerpt)"
        }
        return values.isEmpty ? "" : " (\(values.joined(separator: ", ")))"
    }

    /// Writes a row; returns its outcome and its primary key, or nil if it was refused or is a reference.
    private func write(
        _ place: Place, _ image: inout Image, _ images: RowBatch, newKey: Int64, _ insertion: Statement
    ) throws -> Written? {
        let key = image.key
        guard key >= 0 else {
            refuse(place, .otherEntity(table.entity.name))
            return nil
        }
        let kind = batches[Int(place.batch)].entries[Int(place.row)].kind
        if kind == .reference { return nil }
        if key == 0 {
            guard let result = try insert(place, key: newKey, through: insertion) else { return nil }
            if result == .inserted { image = Image(key: newKey, row: append(cells, to: images)) }
            return (result, newKey)
        }
        read(place, into: cells)
        switch mode {
        case .insert: return (.duplicate, key)
        case .ignore: return (.skipped, key)
        case .upsert, .update, .replace:
            if comparer?.isWhole(place) ?? false, refusesWhole(place, isNew: false) { return nil }
        }
        // A trigger has deleted it.
        guard image.row >= 0 else { return (.skipped, key) }
        images.read(image.row, into: others)
        table.dropStale(cells) { others[$0] }
        let changed = table.changeable.filter { cells[$0].kind != .absent && !cells[$0].isSame(as: others[$0]) }
        guard !changed.isEmpty else { return (.unchanged, key) }
        let isWritten = try connection.withUnboundStatement(update(of: changed)) { update in
            for (index, column) in changed.enumerated() { try update.bind(cells[column], at: index) }
            try update.bind(key, at: changed.count)
            _ = try update.step()
            return connection.changeCount > 0
        }
        // A trigger may ignore it.
        guard isWritten else { return (.skipped, key) }
        for column in table.columns.indices where cells[column].kind == .absent { cells[column] = others[column] }
        image.row = append(cells, to: images)
        return (.updated, key)
    }

    /// Inserts a row alone; returns its outcome, or nil if it was refused.
    private func insert(_ place: Place, key: Int64, through insertion: Statement) throws -> RecordOutcome? {
        guard mode != .update else { return .skipped }
        read(place, into: cells)
        guard !refusesWhole(place, isNew: true) else { return nil }
        row[0] = SQLCell(key)
        for (index, cell) in table.insertedCells.enumerated() { try insertion.bind(row[cell], at: index) }
        defer { insertion.rewind() }
        _ = try insertion.step()
        return connection.changeCount > 0 ? .inserted : .skipped
    }

    private func count(_ place: Place, _ result: RecordOutcome) {
        outcome.counts[result] += 1
        if !outcomes.isEmpty { outcomes[Int(place.batch)][Int(place.row)] = result }
    }

    /// Appends the values of a row to the images; returns their index.
    ///
    /// The cells may point into the images, which move when they grow, so they are copied first.
    private func append(_ cells: UnsafeMutableBufferPointer<SQLCell>, to images: RowBatch) -> Int {
        let copy = RowBatch(width: cells.count, capacity: 256)
        copy.begin(ordinal: 0)
        for cell in cells { copy.add(cell) }
        images.add(packed: copy.packed(0), ordinal: 0, isIncomplete: false)
        return images.count - 1
    }
}
