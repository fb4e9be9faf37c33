import TributaryGraph
import TributarySQLite

/// Writes the rows of chunks and the links between them, in the transaction of a group.
final class RelatedWriter {
    let plan: RelatedPlan
    let mode: ImportMode
    let run: Int
    let schema: Schema
    /// Whether the keys of written rows are needed, to announce them.
    var keepsKeys = false
    private var writers: [BulkWriter] = []
    /// Whether chunks may be written again, after a transaction was rolled back.
    private let mayRepeat: Bool
    /// The links that the last call has replaced, if it may be repeated.
    private var replaced: [(batch: RowBatch, row: Int, column: Int, link: Int64)] = []

    init(_ plan: RelatedPlan, mode: ImportMode, run: Int, schema: Schema, mayRepeat: Bool) {
        self.mayRepeat = mayRepeat
        (self.plan, self.mode, self.run, self.schema) = (plan, mode, run, schema)
    }

    /// A chunk, with the primary key of the first row of each table.
    typealias Share = (chunk: RelatedChunk, firsts: [Int64])

    /// Writes chunks in feed order.
    ///
    /// - Throws: `SQLiteError`.
    func write(_ shares: [Share], on connection: Connection) throws -> RelatedOutcome {
        guard !shares.isEmpty else { return RelatedOutcome() }
        makeWriters(on: connection)
        for (batch, row, column, link) in replaced { batch.restoreLink(link, ofRow: row, column: column) }
        replaced = []
        var group = Group(shares: shares, waiting: .init(known: try WaitingTable.counts(on: connection).keys))
        group.resolved = try resolveKeys(shares)
        try resolvePlaces(&group, on: connection)
        replaceLinks(&group)
        var outcome = RelatedOutcome()
        var written: [BulkOutcome] = []
        for unit in plan.units.indices { written.append(try writers[unit].write(&group.resolved[unit])) }
        try clearRefused(group, on: connection)
        var changes = try writeMentions(&group, on: connection)
        try writePartners(&group, &changes, on: connection)
        try writeWaiting(group, on: connection)
        count(group, written, changes, &outcome)
        return outcome
    }

    private func makeWriters(on connection: Connection) {
        guard writers.isEmpty else { return }
        writers = plan.units.map { unit in
            let writer = BulkWriter(
                unit.maker.table, mode: mode, isPositional: unit.parent != nil, on: connection)
            writer.keepsKeys = keepsKeys
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

        /// Whether the row of an object was written, or is there and nothing about it has changed.
        func isWritten(_ id: RelatedChunk.RowID, in chunk: Int) -> Bool {
            switch resolved[Int(id.unit)].outcomes[chunk][Int(id.row)] {
            case .inserted, .updated, .unchanged: key(id, in: chunk) > 0
            case .duplicate, .skipped, .rejected: false
            }
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
        var isDone = plan.units.map { $0.parent == nil }
        // An owner may be known by its own place: those of the outer objects are found first.
        while let unit = isDone.firstIndex(of: false) {
            isDone[unit] = true
            guard group.shares.contains(where: { $0.chunk.units[unit].batch.count > 0 }) else { continue }
            try resolvePlaces(of: unit, &group, on: connection)
        }
    }

    private struct Place: Hashable {
        let owner: Int64
        let position: Int
    }

    private func resolvePlaces(of unit: Int, _ group: inout Group, on connection: Connection) throws {
        let table = plan.units[unit].table
        var known: [Place: Int64] = [:]
        var read = Set<Int64>()
        var new = Set<Int64>()
        var keys = group.resolved[unit].keys
        var open = group.shares.indices.flatMap { chunk in keys[chunk].indices.map { (chunk, $0) } }
        while !open.isEmpty {
            var ready: [(chunk: Int, row: Int, owner: Int64)] = []
            var rest: [(Int, Int)] = []
            for (chunk, row) in open {
                let place = group.shares[chunk].chunk.units[unit].places[row]
                let id = group.shares[chunk].chunk.objects[place.owner]
                guard id.row >= 0 else { continue }
                let owner = Int(id.unit) == unit ? keys[chunk][Int(id.row)] : group.key(id, in: chunk)
                if owner > 0 {
                    ready.append((chunk, row, owner))
                } else if Int(id.unit) == unit || plan.units[Int(id.unit)].parent != nil {
                    rest.append((chunk, row))
                }
            }
            guard !ready.isEmpty else { break }
            let owners = Set(ready.map(\.owner)).subtracting(read)
            read.formUnion(owners)
            for (owner, others) in try others(of: owners, unit, on: connection) {
                for (position, other) in others.enumerated() {
                    known[Place(owner: owner, position: position)] = other
                }
            }
            for (chunk, row, owner) in ready {
                let rows = group.shares[chunk].chunk.units[unit]
                let place = Place(owner: owner, position: rows.places[row].position)
                if let key = known[place] {
                    keys[chunk][row] = key
                } else if mode != .update {
                    let key = group.shares[chunk].firsts[table] + Int64(rows.batch.entries[row].ordinal)
                    known[place] = key
                    new.insert(key)
                    keys[chunk][row] = key
                }
            }
            open = rest
        }
        group.resolved[unit] = writers[unit].resolve(
            group.resolved[unit].batches, firstKeys: group.resolved[unit].firstKeys, keys: keys, new: new)
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
            case .partner(let pair):
                return try plan.partners[pair].partners(of: owners, on: connection).mapValues { [$0] }
            }
        }
        return [:]
    }

    // MARK: Links in columns

    /// Replaces links by primary keys; a link to a row that is not there waits.
    private func replaceLinks(_ group: inout Group) {
        for (index, unit) in plan.units.enumerated() where !unit.columns.isEmpty {
            let names = unit.columns.map { column in
                unit.relations.first { $0.mapped.relationship == column }?.name
            }
            for (chunk, share) in group.shares.enumerated() {
                let rows = share.chunk.units[index]
                for row in rows.batch.entries.indices where rows.batch.entries[row].kind != .reference {
                    let owner = group.resolved[index].keys[chunk][row]
                    rows.batch.replaceLinks(ofRow: row, count: unit.columns.count) { column, link in
                        let name = isSet(column, of: unit, share, owner, in: group) ? names[column] : nil
                        if let name { group.waiting.settle(name, owner) }
                        guard let link else { return nil }
                        if mayRepeat { replaced.append((rows.batch, row, column, link)) }
                        let target = RowLink.target(link, share.chunk.objects)
                        let key = group.key(target, in: chunk)
                        if key > 0 { return key }
                        if let name, link & 1 == 0 {
                            group.waiting.add(name, owner, .init(position: 0, chunk: chunk, target: target))
                        }
                        return nil
                    }
                }
            }
        }
    }

    /// Whether the column of a row is written, if it has a value.
    private func isSet(
        _ column: Int, of unit: RelatedPlan.Unit, _ share: Share, _ owner: Int64, in group: Group
    ) -> Bool {
        guard owner > 0 else { return false }
        // New rows have greater keys than all others.
        let isNew = owner >= group.shares[0].firsts[unit.table]
        return isNew || mode != .insert && mode != .ignore && !unit.maker.table.columns[column].isSetOnce
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
                    if result != .rejected { related[result] += 1 }
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
            guard keepsKeys else { continue }
            let linked = changes.keys[index] ?? []
            let updated = Set(written[index].updatedKeys).union(linked).subtracting(written[index].insertedKeys)
            guard !updated.isEmpty || !written[index].insertedKeys.isEmpty else { continue }
            outcome.keys.append((index, written[index].insertedKeys, updated.sorted()))
        }
    }
}
