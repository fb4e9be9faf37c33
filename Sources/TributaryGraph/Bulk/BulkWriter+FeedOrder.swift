import TributarySQLite

/// Writing record by record into a table with uniqueness constraints besides the key.
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

    /// Writes rows; a new row gets the primary key in `planned` of its run, or that of its record if it is 0.
    ///
    /// - Returns: The planned primary keys of rows that were not inserted.
    @discardableResult
    func writeInFeedOrder(
        _ runs: [RowComparer.Run], _ places: [Place], planned: [Int64] = []
    ) throws -> [Int64] {
        let images = RowBatch(width: table.columns.count)
        var states = runs.map { Image(key: $0.key) }
        try readImages(runs, into: images, &states)
        var runOfPlace = [Int32](repeating: 0, count: places.count)
        for (number, run) in runs.enumerated() {
            for index in run.range { runOfPlace[index] = Int32(number) }
        }
        let order = places.indices.sorted { (places[$0].batch, places[$0].row) < (places[$1].batch, places[$1].row) }
        try connection.withUnboundStatement(table.insertion) { insertion in
            let insertion = copy insertion
            try connection.withUnboundStatement(table.update) { update in
                for index in order {
                    let run = Int(runOfPlace[index])
                    let key = planned.isEmpty || planned[run] == 0 ? primaryKey(of: places[index]) : planned[run]
                    try write(places[index], &states[run], images, newKey: key, insertion, update)
                }
            }
        }
        return planned.indices.filter { states[$0].key == 0 && planned[$0] > 0 }.map { planned[$0] }
    }

    private func readImages(_ runs: [RowComparer.Run], into images: RowBatch, _ states: inout [Image]) throws {
        let present = runs.indices.filter { runs[$0].key > 0 }.sorted { runs[$0].key < runs[$1].key }
        let list = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: max(1, present.count))
        defer { list.deallocate() }
        for (index, run) in present.enumerated() { list[index] = SQLCell(runs[run].key) }
        try connection.keys.withRows(UnsafeBufferPointer(rebasing: list[..<present.count])) {
            try connection.withUnboundStatement(table.reading) { stored in
                while try stored.step() {
                    states[present[Int(stored.integer(at: 0))]].row = images.count
                    images.begin(ordinal: 0)
                    for column in table.columns.indices { images.add(stored.value(at: column + 1)) }
                }
            }
        }
    }

    private func write(
        _ place: Place, _ image: inout Image, _ images: RowBatch, newKey key: Int64, _ insertion: Statement,
        _ update: borrowing Statement
    ) throws {
        guard image.key >= 0 else { return refuse(place, .otherEntity(table.entity.name)) }
        let kind = batches[Int(place.batch)].entries[Int(place.row)].kind
        if kind == .reference { return }
        read(place, into: cells)
        if image.key == 0 {
            guard mode != .update else { return count(place, .skipped) }
            guard !refusesWhole(place, isNew: true) else { return }
            var (rest, isAccepted) = (CollectionOfOne(key).makeIterator(), true)
            try insertRows(through: insertion) {
                rest.next()
            } refused: { error in
                isAccepted = false
                refuse(place, .notUnique(error.message))
            }
            guard isAccepted else { return }
            image = Image(key: key, row: append(cells, to: images))
            return count(place, .inserted)
        }
        switch mode {
        case .insert: return count(place, .duplicate)
        case .ignore: return count(place, .skipped)
        case .replace where kind == .record: if refusesWhole(place, isNew: false) { return }
        case .upsert, .update, .replace: break
        }
        images.read(image.row, into: others)
        table.dropStale(cells) { others[$0] }
        var isChanged = false
        for column in table.columns.indices {
            if cells[column].kind == .absent {
                cells[column] = others[column]
            } else if !cells[column].isSame(as: others[column]), table.changeable.contains(column) {
                isChanged = true
            }
        }
        guard isChanged else { return count(place, .unchanged) }
        let key = image.key
        for (index, column) in table.changeable.enumerated() { try update.bind(cells[column], at: index) }
        try update.bind(key, at: table.changeable.count)
        defer { update.rewind() }
        do {
            _ = try update.step()
        } catch let error as SQLiteError where error.isUniqueViolation {
            return refuse(place, .notUnique(error.message))
        }
        image.row = append(cells, to: images)
        count(place, .updated)
        if keepsKeys { outcome.updatedKeys.append(key) }
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
