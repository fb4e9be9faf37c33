package import TributaryGraph
package import TributarySQLite

/// Writes the rows of chunks and the links between them, in the transaction of a group.
package final class RelatedWriter {
    let plan: RelatedPlan
    let mode: ImportMode
    let run: Int
    let schema: Schema
    /// Whether the keys of written rows are needed, to announce them.
    var keepsKeys = false
    /// Whether the keys of rows that objects have found are needed, to mark them.
    var keepsSeenKeys = false
    private var writers: [BulkWriter] = []
    private let relationNames: [String]
    /// Whether chunks may be written again, after a transaction was rolled back.
    private let mayRepeat: Bool
    /// The links that the last call has replaced, if it may be repeated.
    private var replaced: [(batch: RowBatch, row: Int, column: Int, link: Int64)] = []

    package init(_ plan: RelatedPlan, mode: ImportMode, run: Int, schema: Schema, mayRepeat: Bool) {
        self.mayRepeat = mayRepeat
        relationNames = plan.relationNames
        (self.plan, self.mode, self.run, self.schema) = (plan, mode, run, schema)
    }

    /// A chunk, with the primary key of the first row of each table.
    package typealias Share = (chunk: RelatedChunk, firsts: [Int64])

    /// Writes chunks in feed order.
    ///
    /// - Throws: `SQLiteError`.
    package func write(_ shares: [Share], on connection: Connection) throws -> RelatedOutcome {
        guard !shares.isEmpty else { return RelatedOutcome() }
        try makeWriters(on: connection)
        for (batch, row, column, link) in replaced { batch.restoreLink(link, ofRow: row, column: column) }
        replaced = []
        let known = try WaitingTable.relations(among: relationNames, on: connection)
        var group = Group(shares: shares, waiting: .init(known: known))
        group.resolved = try resolveKeys(shares)
        try resolvePlaces(&group, on: connection)
        replaceLinks(&group)
        var outcome = RelatedOutcome()
        var written = [BulkOutcome](repeating: BulkOutcome(), count: plan.units.count)
        // Mostly, objects inside come first: SQLite need not look for rows that refer to a new one.
        for unit in plan.units.indices.reversed() { written[unit] = try writers[unit].write(&group.resolved[unit]) }
        try clearRefused(group, on: connection)
        try resolveColumns(&group, on: connection)
        var changes = try writeMentions(&group, on: connection)
        try writePartners(&group, &changes, on: connection)
        try deleteOrphans(changes, on: connection)
        try group.waiting.write(run: run, on: connection)
        count(group, written, changes, &outcome)
        return outcome
    }

    private func makeWriters(on connection: Connection) throws {
        guard writers.isEmpty else { return }
        writers = try plan.units.map { unit in
            let writer = try BulkWriter(
                unit.maker.table, mode: mode, isPositional: unit.parent != nil, on: connection)
            writer.keepsKeys = keepsKeys || keepsSeenKeys
            writer.keepsSeenKeys = keepsSeenKeys
            return writer
        }
    }

    /// The chunks of a group, as far as they are written.
    struct Group {
        let shares: [Share]
        /// For each unit its rows.
        var resolved: [BulkWriter.Resolved] = []
        var waiting: WaitingReferences

        /// The primary key of a row; 0 if there is none.
        func key(_ id: RelatedChunk.RowID, in chunk: Int) -> Int64 {
            id.row < 0 ? 0 : resolved[Int(id.unit)].keys[chunk][Int(id.row)]
        }

        /// Whether what an object says counts: its row was written, or is there and has not changed.
        func applies(_ id: RelatedChunk.RowID, in chunk: Int) -> Bool {
            resolved[Int(id.unit)].applies(chunk, Int(id.row))
                && resolved[Int(id.unit)].outcomes[chunk][Int(id.row)] != .rejected
        }
    }

    // MARK: Keys

    /// Looks up the keys of all units that have one.
    private func resolveKeys(_ shares: [Share]) throws -> [BulkWriter.Resolved] {
        try plan.units.indices.map { unit in
            let batches = shares.map { $0.chunk.units[unit].batch }
            let firsts = shares.map { $0.firsts[plan.units[unit].table] }
            guard plan.units[unit].parent == nil else {
                return writers[unit].resolve(
                    batches, firstKeys: firsts, keys: batches.map { Array(repeating: 0, count: $0.count) }, new: [])
            }
            return try writers[unit].resolve(batches, firstKeys: firsts)
        }
    }

    /// Finds the objects without a key by their owners and positions.
    private func resolvePlaces(_ group: inout Group, on connection: Connection) throws {
        // An owner may be known by its own place: the plan has outer objects first.
        for unit in plan.units.indices where plan.units[unit].parent != nil {
            guard group.shares.contains(where: { $0.chunk.units[unit].batch.count > 0 }) else { continue }
            try resolvePlaces(of: unit, &group, on: connection)
        }
    }

    private struct Place: Hashable {
        let owner: Int64
        let position: Int
    }

    /// Rows of an owner in a mention, or nothing if the relation is cleared.
    private struct Listing {
        let chunk: Int
        let owner: RelatedChunk.RowID
        let rows: [Int]
        /// Whether further objects of the owner are unlinked.
        let replaces: Bool
    }

    private func resolvePlaces(of unit: Int, _ group: inout Group, on connection: Connection) throws {
        let table = plan.units[unit].table
        var known: [Place: Int64] = [:]
        var counts: [Int64: Int] = [:]
        var new = Set<Int64>()
        var keys = group.resolved[unit].keys
        var open = listings(of: unit, group)
        while !open.isEmpty {
            func owner(_ listing: Listing) -> Int64 {
                let id = listing.owner
                if Int(id.unit) == unit { return keys[listing.chunk][Int(id.row)] }
                let applies = group.resolved[Int(id.unit)].applies(listing.chunk, Int(id.row))
                return applies ? group.key(id, in: listing.chunk) : 0
            }
            // The owner may be an object of the same kind, whose own place is not known yet.
            let ready = open.filter { owner($0) > 0 }
            guard !ready.isEmpty else { break }
            let unread = Set(ready.map(owner)).subtracting(counts.keys)
            for (owner, others) in try others(of: unread, unit, on: connection) {
                counts[owner] = others.count
                for (position, other) in others.enumerated() {
                    known[Place(owner: owner, position: position)] = other
                }
            }
            for listing in ready {
                let owner = owner(listing)
                for (position, row) in listing.rows.enumerated() {
                    let place = Place(owner: owner, position: position)
                    if let key = known[place] {
                        keys[listing.chunk][row] = key
                    } else if mode != .update {
                        let entry = group.resolved[unit].batches[listing.chunk].entries[row]
                        let key = group.shares[listing.chunk].firsts[table] + Int64(entry.ordinal)
                        known[place] = key
                        new.insert(key)
                        keys[listing.chunk][row] = key
                    }
                }
                let count = max(counts[owner] ?? 0, listing.rows.count)
                if listing.replaces {
                    for position in listing.rows.count..<count { known[Place(owner: owner, position: position)] = nil }
                }
                counts[owner] = listing.replaces ? listing.rows.count : count
            }
            open.removeAll { owner($0) > 0 }
        }
        group.resolved[unit] = writers[unit].resolve(
            group.resolved[unit].batches, firstKeys: group.resolved[unit].firstKeys, keys: keys, new: new)
    }

    /// What owners say about the objects of a unit without a key, in feed order.
    private func listings(of unit: Int, _ group: Group) -> [Listing] {
        guard let parent = plan.units[unit].parent else { return [] }
        var listings: [Listing] = []
        for (chunk, share) in group.shares.enumerated() {
            for (index, owner) in plan.units.enumerated() where owner.entity.relationship(named: parent.relation) != nil
            {
                for (number, relation) in owner.relations.enumerated() where relation.target == unit {
                    let mentions: [RelatedChunk.Mention]
                    let others: [(row: RelatedChunk.RowID, position: Int32)]
                    switch relation.way {
                    case .pairs(let link, _, _):
                        (mentions, others) = (share.chunk.mentions[link], share.chunk.others[link])
                    case .partner(let pair, _):
                        (mentions, others) = (share.chunk.partners[pair], share.chunk.others[plan.links.count + pair])
                    case .column(let column, _):
                        listings += self.listings(in: column, of: index, chunk, share)
                        continue
                    }
                    for mention in mentions where Int(mention.owner.unit) == index && Int(mention.relation) == number {
                        listings.append(
                            Listing(
                                chunk: chunk, owner: mention.owner,
                                rows: mention.others.map { Int(others[Int($0)].row.row) },
                                replaces: mention.action == .replace))
                    }
                }
            }
        }
        return listings
    }

    /// What the rows of owners say about their one object.
    private func listings(in column: Int, of unit: Int, _ chunk: Int, _ share: Share) -> [Listing] {
        let batch = share.chunk.units[unit].batch
        var listings: [Listing] = []
        let cells = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: column + 1)
        defer { cells.deallocate() }
        for row in 0..<batch.count {
            batch.read(row, upTo: column, into: cells)
            let owner = RelatedChunk.RowID(unit: Int32(unit), row: Int32(row))
            switch cells[column].kind {
            case .absent: continue
            case .integer:
                let target = RowLink.target(cells[column].integer, share.chunk.objects)
                listings.append(Listing(chunk: chunk, owner: owner, rows: [Int(target.row)], replaces: true))
            default: listings.append(Listing(chunk: chunk, owner: owner, rows: [], replaces: true))
            }
        }
        return listings
    }

    /// The objects of owners that have no key, in their order.
    private func others(of owners: Set<Int64>, _ unit: Int, on connection: Connection) throws -> [Int64: [Int64]] {
        guard !owners.isEmpty, let parent = plan.units[unit].parent else { return [:] }
        for owner in plan.units where owner.entity.relationship(named: parent.relation)?.entity.name == parent.entity {
            guard let relation = owner.relations.first(where: { $0.mapped.name == parent.relation }) else { continue }
            switch relation.way {
            case .pairs(let link, let isFromTarget, _):
                return try plan.links[link].others(of: owners, areTargets: isFromTarget, on: connection)
            case .column:
                let column = LinkColumn(relation.mapped.relationship, of: owner.entity, in: schema)
                return try column?.targets(of: owners, on: connection).mapValues { [$0] } ?? [:]
            case .partner(let pair, let isReversed):
                return try plan.partners[pair].partners(of: owners, isReversed: isReversed, on: connection)
                    .mapValues { [$0] }
            }
        }
        return [:]
    }

    // MARK: Links in columns

    /// Replaces links by primary keys; a link to a row that is not there waits.
    private func replaceLinks(_ group: inout Group) {
        for (index, unit) in plan.units.enumerated() where !unit.columns.isEmpty {
            let names = unit.columns.map { column in
                unit.relations.first { relation in
                    // What mentions say about references is known in feed order.
                    if case .column(_, nil) = relation.way { relation.mapped.relationship == column } else { false }
                }?.name
            }
            for (chunk, share) in group.shares.enumerated() {
                let rows = share.chunk.units[index]
                for row in rows.batch.entries.indices where rows.batch.entries[row].kind != .reference {
                    let owner = group.resolved[index].keys[chunk][row]
                    let applies = group.resolved[index].applies(chunk, row)
                    // New rows have greater keys than all others.
                    let isNew = owner >= share.firsts[unit.table]
                    rows.batch.replaceLinks(ofRow: row, count: unit.columns.count) { column, link in
                        let isSet = applies && (isNew || !unit.maker.table.columns[column].isSetOnce)
                        let name = isSet ? names[column] : nil
                        if let name { group.waiting.settle(name, owner) }
                        guard let link else { return .null }
                        if mayRepeat { replaced.append((rows.batch, row, column, link)) }
                        let target = RowLink.target(link, share.chunk.objects)
                        let key = group.key(target, in: chunk)
                        if link & 1 == 1 {
                            // The owner lists this object.
                            let isListed =
                                target.row >= 0 && group.resolved[Int(target.unit)].applies(chunk, Int(target.row))
                            return key > 0 && isListed ? .key(key) : .absent
                        }
                        if key > 0 { return .key(key) }
                        if let name {
                            let key = self.key(of: target, in: chunk, group)
                            group.waiting.add(.init(name, owner: owner, position: 0, key: key), isExclusive: false)
                        }
                        return .null
                    }
                }
            }
        }
    }

    /// The values of the key of a row.
    func key(of id: RelatedChunk.RowID, in chunk: Int, _ group: Group) -> [SQLValue] {
        let key = plan.units[Int(id.unit)].maker.table.key
        let cells = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: (key.max() ?? 0) + 1)
        defer { cells.deallocate() }
        group.shares[chunk].chunk.units[Int(id.unit)].batch.read(Int(id.row), upTo: key.max(), into: cells)
        return key.map { cells[$0].value }
    }

    /// Clears links to rows that were announced, and then refused.
    private func clearRefused(_ group: Group, on connection: Connection) throws {
        for (target, resolved) in group.resolved.enumerated() where !resolved.refusedKeys.isEmpty {
            for unit in plan.units {
                for column in unit.columns
                where plan.units[target].entity.isKind(of: column.destination)
                    || column.destination.isKind(of: plan.units[target].entity)
                {
                    try LinkColumn(column, of: unit.entity, in: schema)?.clear(resolved.refusedKeys, on: connection)
                }
            }
        }
    }

    // MARK: Counts

    private func count(
        _ group: Group, _ written: [BulkOutcome], _ changes: GroupChanges, _ outcome: inout RelatedOutcome
    ) {
        for (index, unit) in plan.units.enumerated() {
            var related = RecordCounts()
            for (chunk, share) in group.shares.enumerated() {
                let (records, entries) = (share.chunk.units[index].records, share.chunk.units[index].batch.entries)
                for (row, result) in group.resolved[index].outcomes[chunk].enumerated()
                where entries[row].kind != .reference {
                    var result = result
                    let id = RelatedChunk.RowID(unit: Int32(index), row: Int32(row))
                    if result == .unchanged, changes.contains(id, in: chunk) { result = .updated }
                    guard records[row] < 0 else {
                        if result != .rejected { outcome.counts[result] += 1 }
                        continue
                    }
                    // A row without a primary key was only a reference.
                    if result != .rejected, result != .unchanged || group.key(id, in: chunk) > 0 {
                        related[result] += 1
                    }
                }
            }
            for refused in written[index].refused {
                let record = group.shares[refused.batch].chunk.units[index].records[refused.row]
                if record >= 0 {
                    outcome.refused.append(
                        .init(chunk: refused.batch, unit: index, record: Int(record), fault: refused.fault))
                } else if case .incomplete = refused.fault {
                    // It is not more than a reference, which waits.
                } else {
                    related.rejected += 1
                }
            }
            if related.total > 0 { outcome.related[unit.entity.name, default: RecordCounts()] += related }
            if keepsSeenKeys {
                outcome.seenKeys.append((index, written[index].seenKeys))
                outcome.seenKeys.append((index, written[index].insertedKeys))
                outcome.referredKeys.append((index, written[index].referredKeys))
            }
            guard keepsKeys else { continue }
            let linked = changes.keys[index] ?? []
            let updated = Set(written[index].updatedKeys).union(linked).subtracting(written[index].insertedKeys)
            guard !updated.isEmpty || !written[index].insertedKeys.isEmpty else { continue }
            outcome.keys.append((index, written[index].insertedKeys, updated.sorted()))
        }
    }
}
