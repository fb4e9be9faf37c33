extension ResultsList {
    private struct RemovedRow {
        let position: Int
        let slot: Int32
        /// Its new state, with which it is inserted again; nil if it does not belong to the results any more.
        let row: ResultsEdit.Row?
        let isUpdate: Bool
    }

    private struct InsertedRow {
        let slot: Int32
        /// Its removal, and the number of earlier ones; nil for a new row.
        var removal: (position: Int, earlier: Int)?
        var isUpdate = true
        /// The number of staying rows before it.
        var gap = 0
    }

    /// Applies a batch of edits, at most one for each row, and returns what it changes.
    ///
    /// The cost is that of two binary searches for each edit, and of copying `order` and `sections`.
    mutating func apply(_ edits: [ResultsEdit], id: (_ entity: Int, _ key: Int64) -> ObjectID) -> ResultsChange {
        let before = (sections: sections, count: count)
        let path = { (position: Int) in ResultsList.path(of: position, in: before.sections) }
        var removedRows: [RemovedRow] = []
        var updates: [(position: Int, slot: Int32)] = []
        var new: [ResultsEdit.Row] = []
        for edit in edits {
            guard let slot = slots[edit.key] else {
                if let row = edit.row { new.append(row) }
                continue
            }
            if let row = edit.row, hasEqualValues(slot, row) {
                if edit.isUpdate { updates.append((position(of: slot), slot)) }
            } else {
                removedRows.append(
                    RemovedRow(position: position(of: slot), slot: slot, row: edit.row, isUpdate: edit.isUpdate))
            }
        }
        removedRows.sort { $0.position < $1.position }
        var change = ResultsChange()
        for removed in removedRows where removed.row == nil {
            let (key, entity) = row(at: removed.position)
            let oldPath = path(removed.position)
            change.objects.append(.init(kind: .delete, id: id(entity, key), oldPath: oldPath, newPath: nil))
        }
        var insertedRows = remove(removedRows)
        insertedRows += new.map { InsertedRow(slot: take($0)) }
        insertedRows.sort { isBefore($0.slot, $1.slot) }
        for index in insertedRows.indices {
            insertedRows[index].gap = order.partitionPoint { isBefore(insertedRows[index].slot, $0) }
        }
        if query.hasSections { sections = sections(removedRows, insertedRows, count: before.count) }
        insert(insertedRows)

        // Of the changed rows between two staying rows, those stay as well that keep their order.
        var last = (gap: -1, position: -1)
        var moves: [ResultsChange.Object] = []
        for (index, inserted) in insertedRows.enumerated() {
            let id = id(Int(entities[Int(inserted.slot)]), keys[Int(inserted.slot)])
            let newPath = self.path(of: inserted.gap + index)
            guard let (position, earlier) = inserted.removal else {
                change.objects.append(.init(kind: .insert, id: id, oldPath: nil, newPath: newPath))
                continue
            }
            let oldPath = path(position)
            let isInOrder = last.gap < inserted.gap || last.position < position
            if position - earlier == inserted.gap, isInOrder,
                before.sections[oldPath.section].name == sections[newPath.section].name
            {
                last = (inserted.gap, position)
                if inserted.isUpdate { updates.append((position, inserted.slot)) }
            } else {
                moves.append(.init(kind: .move, id: id, oldPath: oldPath, newPath: newPath))
            }
        }
        change.objects += moves
        updates.sort { $0.position < $1.position }
        for (position, slot) in updates {
            change.objects.append(
                .init(
                    kind: .update, id: id(Int(entities[Int(slot)]), keys[Int(slot)]), oldPath: path(position),
                    newPath: self.path(of: self.position(of: slot))))
        }
        if query.hasSections, !compare(before.sections, &change) { change = .reload() }
        return change
    }

    /// Removes rows from the order, and returns those that are inserted again.
    private mutating func remove(_ removedRows: [RemovedRow]) -> [InsertedRow] {
        guard !removedRows.isEmpty else { return [] }
        var rest: [Int32] = []
        rest.reserveCapacity(order.count)
        var next = 0
        for removal in removedRows {
            rest += order[next..<removal.position]
            next = removal.position + 1
        }
        rest += order[next...]
        order = rest
        var insertedRows: [InsertedRow] = []
        for (earlier, removal) in removedRows.enumerated() {
            guard let row = removal.row else {
                release(removal.slot)
                continue
            }
            slots[keys[Int(removal.slot)]] = nil
            set(row, removal.slot)
            insertedRows.append(
                InsertedRow(
                    slot: removal.slot, removal: (removal.position, earlier), isUpdate: removal.isUpdate))
        }
        return insertedRows
    }

    private mutating func insert(_ insertedRows: [InsertedRow]) {
        guard !insertedRows.isEmpty else { return }
        var all: [Int32] = []
        all.reserveCapacity(order.count + insertedRows.count)
        var next = 0
        for inserted in insertedRows {
            all += order[next..<inserted.gap]
            all.append(inserted.slot)
            next = inserted.gap
        }
        order = all + order[next...]
    }

    // MARK: Sections

    /// The sections after rows were removed and inserted, made of those before.
    private func sections(_ removedRows: [RemovedRow], _ insertedRows: [InsertedRow], count: Int) -> [Section] {
        var after: [Section] = []
        var total = 0
        func append(_ name: String, _ count: Int) {
            if count > 0, after.last?.name != name { after.append(Section(name: name, start: total)) }
            total += count
        }
        var (removedCount, insertedCount) = (0, 0)
        var stayed = 0
        for (index, section) in sections.enumerated() {
            let end = index + 1 < sections.count ? sections[index + 1].start : count
            let first = removedCount
            while removedCount < removedRows.count, removedRows[removedCount].position < end { removedCount += 1 }
            let last = stayed + end - section.start - (removedCount - first)
            while insertedCount < insertedRows.count, insertedRows[insertedCount].gap < last {
                append(section.name, insertedRows[insertedCount].gap - stayed)
                append(name(insertedRows[insertedCount].slot), 1)
                stayed = insertedRows[insertedCount].gap
                insertedCount += 1
            }
            append(section.name, last - stayed)
            stayed = last
        }
        for inserted in insertedRows[insertedCount...] { append(name(inserted.slot), 1) }
        return after
    }

    /// Adds the deleted and inserted sections; false if a name is repeated, so that they cannot be distinguished.
    private mutating func compare(_ before: [Section], _ change: inout ResultsChange) -> Bool {
        if before.count == sections.count, zip(before, sections).allSatisfy({ $0.name == $1.name }) {
            return change.isEmpty || !hasRepeatedSections
        }
        let (old, new) = (Set(before.lazy.map(\.name)), Set(sections.lazy.map(\.name)))
        hasRepeatedSections = new.count < sections.count
        guard !hasRepeatedSections, old.count == before.count else { return false }
        for (index, section) in before.enumerated() where !new.contains(section.name) {
            change.deletedSections.append(.init(index: index, name: section.name))
        }
        for (index, section) in sections.enumerated() where !old.contains(section.name) {
            change.insertedSections.append(.init(index: index, name: section.name))
        }
        return true
    }
}
