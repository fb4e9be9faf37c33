/// Changing the list, and telling what changed.
extension ResultsList {
    /// A row that is taken out of the order.
    private struct Departure {
        let position: Int
        let slot: Int32
        /// Its new state, with which it is put back; nil if it does not belong to the results any more.
        let row: ResultsEdit.Row?
        let isUpdate: Bool
    }

    /// A row that is put into the order.
    private struct Arrival {
        let slot: Int32
        /// Its departure, and the number of earlier ones; nil for a new row.
        var departure: (position: Int, earlier: Int)?
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
        var departures: [Departure] = []
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
                departures.append(
                    Departure(position: position(of: slot), slot: slot, row: edit.row, isUpdate: edit.isUpdate))
            }
        }
        departures.sort { $0.position < $1.position }
        var change = ResultsChange()
        for departure in departures where departure.row == nil {
            let (key, entity) = row(at: departure.position)
            let oldPath = path(departure.position)
            change.objects.append(.init(kind: .delete, id: id(entity, key), oldPath: oldPath, newPath: nil))
        }
        var arrivals = remove(departures)
        arrivals += new.map { Arrival(slot: take($0)) }
        arrivals.sort { isBefore($0.slot, $1.slot) }
        for index in arrivals.indices {
            arrivals[index].gap = order.partitionPoint { isBefore(arrivals[index].slot, $0) }
        }
        if query.hasSections { sections = sections(departures, arrivals, count: before.count) }
        insert(arrivals)

        // Of the changed rows between two staying rows, those stay as well that keep their order.
        var last = (gap: -1, position: -1)
        var moves: [ResultsChange.Object] = []
        for (index, arrival) in arrivals.enumerated() {
            let id = id(Int(entities[Int(arrival.slot)]), keys[Int(arrival.slot)])
            let newPath = self.path(of: arrival.gap + index)
            guard let (position, earlier) = arrival.departure else {
                change.objects.append(.init(kind: .insert, id: id, oldPath: nil, newPath: newPath))
                continue
            }
            let oldPath = path(position)
            let isInOrder = last.gap < arrival.gap || last.position < position
            if position - earlier == arrival.gap, isInOrder,
                before.sections[oldPath.section].name == sections[newPath.section].name
            {
                last = (arrival.gap, position)
                if arrival.isUpdate { updates.append((position, arrival.slot)) }
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

    /// Takes rows out of the order, and returns those that are put back.
    private mutating func remove(_ departures: [Departure]) -> [Arrival] {
        guard !departures.isEmpty else { return [] }
        var rest: [Int32] = []
        rest.reserveCapacity(order.count)
        var next = 0
        for departure in departures {
            rest += order[next..<departure.position]
            next = departure.position + 1
        }
        rest += order[next...]
        order = rest
        var arrivals: [Arrival] = []
        for (earlier, departure) in departures.enumerated() {
            guard let row = departure.row else {
                release(departure.slot)
                continue
            }
            slots[keys[Int(departure.slot)]] = nil
            set(row, departure.slot)
            arrivals.append(
                Arrival(
                    slot: departure.slot, departure: (departure.position, earlier), isUpdate: departure.isUpdate))
        }
        return arrivals
    }

    private mutating func insert(_ arrivals: [Arrival]) {
        guard !arrivals.isEmpty else { return }
        var all: [Int32] = []
        all.reserveCapacity(order.count + arrivals.count)
        var next = 0
        for arrival in arrivals {
            all += order[next..<arrival.gap]
            all.append(arrival.slot)
            next = arrival.gap
        }
        order = all + order[next...]
    }

    // MARK: Sections

    /// The sections after the departures and arrivals, made of those before them.
    private func sections(_ departures: [Departure], _ arrivals: [Arrival], count: Int) -> [Section] {
        var after: [Section] = []
        var total = 0
        func append(_ name: String, _ count: Int) {
            if count > 0, after.last?.name != name { after.append(Section(name: name, start: total)) }
            total += count
        }
        var (departed, arrived) = (0, 0)
        var stayed = 0
        for (index, section) in sections.enumerated() {
            let end = index + 1 < sections.count ? sections[index + 1].start : count
            let first = departed
            while departed < departures.count, departures[departed].position < end { departed += 1 }
            let last = stayed + end - section.start - (departed - first)
            while arrived < arrivals.count, arrivals[arrived].gap < last {
                append(section.name, arrivals[arrived].gap - stayed)
                append(name(arrivals[arrived].slot), 1)
                stayed = arrivals[arrived].gap
                arrived += 1
            }
            append(section.name, last - stayed)
            stayed = last
        }
        for arrival in arrivals[arrived...] { append(name(arrival.slot), 1) }
        return after
    }

    /// Adds the deleted and inserted sections; false if a name is repeated, so that they cannot be told apart.
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
