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

    func writeInFeedOrder(_ runs: [RowComparer.Run], _ places: [Place]) throws {
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
                    try write(places[index], &states[run], images, insertion, update)
                }
            }
        }
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
        _ place: Place, _ image: inout Image, _ images: RowBatch, _ insertion: Statement, _ update: borrowing Statement
    ) throws {
        guard image.key >= 0 else { return refuse(place, .otherEntity(table.entity.name)) }
        read(place, into: cells)
        if image.key == 0 {
            guard mode != .update else {
                outcome.counts.skipped += 1
                return
            }
            guard !refusesWhole(place) else { return }
            let key = primaryKey(of: place)
            var (rest, isAccepted) = (CollectionOfOne(key).makeIterator(), true)
            try insertRows(through: insertion) {
                rest.next()
            } refused: { error in
                isAccepted = false
                refuse(place, .notUnique(error.message))
            }
            guard isAccepted else { return }
            image = Image(key: key, row: append(cells, to: images))
            outcome.counts.inserted += 1
            return
        }
        switch mode {
        case .insert: return outcome.counts.duplicate += 1
        case .ignore: return outcome.counts.skipped += 1
        case .replace: if refusesWhole(place) { return }
        case .upsert, .update: break
        }
        images.read(image.row, into: others)
        var isChanged = false
        for column in table.columns.indices {
            if cells[column].kind == .absent {
                cells[column] = others[column]
            } else if !cells[column].isSame(as: others[column]), table.changeable.contains(column) {
                isChanged = true
            }
        }
        guard isChanged else {
            outcome.counts.unchanged += 1
            return
        }
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
        outcome.counts.updated += 1
        if keepsKeys { outcome.updatedKeys.append(key) }
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
