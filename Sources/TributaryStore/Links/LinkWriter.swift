package import TributarySQLite

/// Writes what the records of a group say about the pairs of one relationship, in feed order.
package struct LinkWriter {
    private let storage: PairStorage
    private let connection: Connection

    package init(_ storage: PairStorage, on connection: Connection) {
        self.storage = storage
        self.connection = connection
    }

    /// Applies events, whose others are ranges of `others`.
    ///
    /// - Returns: The objects whose relationships have changed; new ones need not be among them.
    package func apply(_ events: [LinkEvent], _ others: LinkOthers) throws -> LinkChanges {
        guard !events.isEmpty, events.contains(where: { !$0.isWritten || !$0.isNew }) || !isDistinct(events, others)
        else { return LinkChanges() }
        if try insertNew(events, others) { return LinkChanges() }
        var pairs = PairSet(storage)
        try load(&pairs, events, others)
        var rows: [Int] = []
        for event in events where pairs.apply(event, others) && !event.isWritten { rows.append(event.row) }
        var changes = try write(pairs)
        // No row that was written says which objects an owner does not list any more.
        let left = Set(pairs.pairs.filter { $0.stored != nil && !$0.isPresent }.map(\.source))
        if !left.isEmpty {
            for event in events where event.isWritten && !event.isFromTarget && left.contains(event.owner) {
                rows.append(event.row)
            }
        }
        changes.rows = rows
        return changes
    }

    // MARK: New objects

    /// Whether no object occurs twice, as an owner or as another.
    private func isDistinct(_ events: [LinkEvent], _ others: LinkOthers) -> Bool {
        // The order of targets is not in the rows that were written.
        guard storage.targetOrder == nil, !events.contains(where: \.isFromTarget) else { return false }
        var seen = Set<Int64>(minimumCapacity: others.count)
        var owners = Set<Int64>(minimumCapacity: events.count)
        for event in events {
            guard owners.insert(event.owner).inserted else { return false }
            for other in others.keys[event.others] where !seen.insert(other).inserted { return false }
        }
        return true
    }

    /// Inserts the pairs of new owners into a join table at once; false if events are of other kinds.
    private func insertNew(_ events: [LinkEvent], _ others: LinkOthers) throws -> Bool {
        guard !storage.isColumn, !storage.isSymmetric, storage.sourceOrder == nil else { return false }
        var last: Int64 = 0
        for event in events {
            guard event.isNew, !event.isFromTarget, event.owner > last else { return false }
            last = event.owner
        }
        let cells = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: max(3, others.count * 3))
        defer { cells.deallocate() }
        var count = 0
        for event in events {
            let places = event.others.sorted { (others.keys[$0], $0) < (others.keys[$1], $1) }
            var earlier: Int64?
            for place in places where others.keys[place] != earlier {
                earlier = others.keys[place]
                cells[count] = SQLCell(event.owner)
                cells[count + 1] = SQLCell(others.keys[place])
                cells[count + 2] = SQLCell(Int64(others.positions[place]))
                count += 3
            }
        }
        guard count > 0 else { return true }
        try connection.keys.withRows(UnsafeBufferPointer(rebasing: cells[..<count]), width: 3) {
            try connection.execute(SQLFragment(trusted: storage.insertion))
        }
        return true
    }

    // MARK: Pairs

    /// Loads the stored pairs that the events may change.
    private func load(_ pairs: inout PairSet, _ events: [LinkEvent], _ others: LinkOthers) throws {
        var sources: Set<Int64> = []
        var targets: Set<Int64> = []
        var named: Set<Int64> = []
        for event in events {
            if event.isFromTarget {
                targets.insert(event.owner)
                // The position of a new target is that after the last one.
                if storage.targetOrder != nil { named.formUnion(others.keys[event.others]) }
            } else {
                sources.insert(event.owner)
                if storage.isColumn || storage.sourceOrder != nil { targets.formUnion(others.keys[event.others]) }
            }
        }
        try load(&pairs, sources, byTarget: false)
        if storage.isSymmetric { targets = sources }
        try load(&pairs, targets, byTarget: true)
        try load(&pairs, named.subtracting(sources), byTarget: false, isOnlyPosition: true)
        pairs.sortSources()
    }

    /// Loads the stored pairs of sources or targets; or of sources only what decides the position of a new target.
    private func load(
        _ pairs: inout PairSet, _ keys: Set<Int64>, byTarget: Bool, isOnlyPosition: Bool = false
    ) throws {
        guard !keys.isEmpty else { return }
        try connection.keys.withKeys(keys.sorted()) {
            let sql = storage.selection(byTarget: byTarget, isSorted: !isOnlyPosition)
            try connection.withUnboundStatement(sql) { row in
                while try row.step() {
                    let (source, target) = (row.integer(at: 0), row.integer(at: 1))
                    let position = row.isNull(at: 2) ? nil : row.integer(at: 2)
                    if isOnlyPosition {
                        pairs.skip(source, target, position: position)
                    } else {
                        pairs.load(
                            source, target, positions: (position, row.isNull(at: 3) ? nil : row.integer(at: 3)))
                    }
                }
            }
        }
    }

    private func write(_ set: PairSet) throws -> LinkChanges {
        var changes = LinkChanges()
        func recordChange(_ pair: PairSet.Pair) {
            changes.sources.insert(pair.source)
            changes.targets.insert(pair.target)
        }
        var removed: [PairSet.Pair] = []
        var added: [(pair: PairSet.Pair, position: Int64)] = []
        var moved: [(pair: PairSet.Pair, position: Int64)] = []
        for pair in set.pairs {
            let position = pair.position ?? 0
            switch (pair.stored, pair.isPresent) {
            case (nil, false): continue
            case (nil, true): added.append((pair, position))
            case (_, false):
                let hasOther = storage.isColumn && set.hasSource(pair.target)
                if !hasOther { removed.append(pair) }
            case (let stored?, true):
                guard storage.targetOrder != nil, stored.target != position else { continue }
                moved.append((pair, position))
            }
            recordChange(pair)
        }
        if storage.needsSource { changes.orphans = removed.map(\.target).sorted() } else { try remove(removed) }
        try execute(storage.addition, added)
        if let statement = storage.positioning(ofSources: false) { try execute(statement, moved) }
        try writeSourceOrder(set, &changes)
        return changes
    }

    private func remove(_ pairs: [PairSet.Pair]) throws {
        guard !pairs.isEmpty else { return }
        try connection.withUnboundStatement(storage.removal) { statement in
            for pair in pairs.sorted(by: { ($0.target, $0.source) < ($1.target, $1.source) }) {
                try statement.run(pair.source, pair.target)
            }
        }
    }

    /// Executes a statement of a source, a position and a target for each pair.
    private func execute(_ sql: String, _ pairs: [(pair: PairSet.Pair, position: Int64)]) throws {
        guard !pairs.isEmpty else { return }
        let isByTarget = storage.isColumn
        let sorted = pairs.sorted {
            isByTarget
                ? $0.pair.target < $1.pair.target
                : ($0.pair.source, $0.pair.target) < ($1.pair.source, $1.pair.target)
        }
        try connection.withUnboundStatement(sql) { statement in
            for (pair, position) in sorted { try statement.run(pair.source, position, pair.target) }
        }
    }

    /// Writes the positions of sources among those of their targets, where an event has set them.
    private func writeSourceOrder(_ set: PairSet, _ changes: inout LinkChanges) throws {
        guard let statement = storage.positioning(ofSources: true) else { return }
        var moved: [(pair: PairSet.Pair, position: Int64)] = []
        for indexes in set.byTarget {
            for (position, index) in indexes.enumerated() {
                let pair = set.pairs[index]
                guard pair.isPresent, pair.stored.map({ $0.source != Int64(position) }) ?? true else { continue }
                moved.append((pair, Int64(position)))
                changes.targets.insert(pair.target)
            }
        }
        try execute(statement, moved)
    }
}
