package import TributaryStore
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
    /// For each unit what writes its rows.
    private(set) var writers: [BulkWriter] = []
    private let relationNames: [String]
    /// Whether chunks may be written again, after a transaction was rolled back.
    private let mayRepeat: Bool
    /// The links that the last call has replaced, if it may be repeated.
    private var replaced: [(batch: RowBatch, row: Int, column: Int, link: Int64)] = []
    /// Whether objects may be refused whose objects without a key must not be written then.
    private var mayRefuseOwners = false

    package init(_ plan: RelatedPlan, mode: ImportMode, run: Int, schema: Schema, mayRepeat: Bool) {
        self.mayRepeat = mayRepeat
        relationNames = plan.names { _ in true }
        (self.plan, self.mode, self.run, self.schema) = (plan, mode, run, schema)
    }

    /// A chunk, with the primary key of the first row of each table.
    package typealias Share = (chunk: RelatedChunk, firsts: [Int64])

    /// Writes chunks in feed order.
    package func write(_ shares: [Share], on connection: Connection) throws -> RelatedOutcome {
        guard !shares.isEmpty else { return RelatedOutcome() }
        try makeWriters(on: connection)
        guard mayRefuseOwners else { return try write(shares, without: [], on: connection) }
        // What a refused object has inside is not written either, and only its table knows which ones it refuses.
        defer { for writer in writers { writer.refusals = [:] } }
        var refused: Set<ObjectPlace> = []
        while true {
            do {
                return try connection.transaction { try write(shares, without: refused, on: connection) }
            } catch let further as RefusedOwners {
                for (place, fault) in further.faults {
                    refused.insert(place)
                    writers[Int(place.id.unit)].refusals[place.chunk, default: [:]][Int(place.id.row)] = .some(fault)
                }
            }
        }
    }

    /// Writes chunks, but for some objects and what is inside of these.
    ///
    /// - Throws: `RefusedOwners` if there are further ones, `SQLiteError`.
    private func write(
        _ shares: [Share], without refused: Set<ObjectPlace>, on connection: Connection
    ) throws -> RelatedOutcome {
        for (batch, row, column, link) in replaced { batch.restoreLink(link, ofRow: row, column: column) }
        replaced = []
        let known = try WaitingTable.relations(among: relationNames, on: connection)
        var group = Group(shares: shares, waiting: .init(known: known), refused: refused)
        group.resolved = try resolveKeys(shares)
        try resolvePlaces(&group, on: connection)
        replaceLinks(&group)
        var outcome = RelatedOutcome()
        var written = [BulkOutcome](repeating: BulkOutcome(), count: plan.units.count)
        let keys = group.resolved.map(\.keys)
        // Mostly, objects inside come first: SQLite need not look for rows that refer to a new one.
        for unit in plan.units.indices.reversed() { written[unit] = try writers[unit].write(&group.resolved[unit]) }
        if mayRefuseOwners { try checkOwners(group, keys, written) }
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
                unit.maker.table, mode: mode, isPositional: unit.parent != nil, related: true, on: connection)
            writer.keepsKeys = keepsKeys || keepsSeenKeys
            writer.keepsSeenKeys = keepsSeenKeys
            return writer
        }
        mayRefuseOwners = plan.units.contains { $0.parent != nil } && writers.contains(where: \.mayRefuse)
    }

    /// The chunks of a group, as far as they are written.
    struct Group {
        let shares: [Share]
        /// For each unit its rows.
        var resolved: [BulkWriter.Resolved] = []
        var waiting: WaitingReferences
        /// The objects that their tables are known to refuse.
        let refused: Set<ObjectPlace>

        /// The primary key of a row; 0 if there is none.
        func key(_ id: RelatedChunk.RowID, in chunk: Int) -> Int64 {
            id.row < 0 ? 0 : resolved[Int(id.unit)].keys[chunk][Int(id.row)]
        }

        /// Whether what an object says counts: its row was written, or is there and has not changed.
        func applies(_ id: RelatedChunk.RowID, in chunk: Int) -> Bool {
            let rows = resolved[Int(id.unit)]
            let outcome = rows.outcomes[chunk][Int(id.row)]
            return rows.applies(chunk, Int(id.row)) && outcome != .rejected && outcome != .skipped
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
                        if let name { group.waiting.discardEarlier(name, owner) }
                        guard let link else { return .null }
                        if mayRepeat || mayRefuseOwners { replaced.append((rows.batch, row, column, link)) }
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
                            group.waiting.add(
                                .init(relation: name, owner: owner, position: 0, key: key), isExclusive: false)
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
                let rows = share.chunk.units[index]
                let outcomes = group.resolved[index].outcomes[chunk]
                for (row, result) in outcomes.enumerated() where rows.batch.entries[row].kind != .reference {
                    var result = result
                    let id = RelatedChunk.RowID(unit: Int32(index), row: Int32(row))
                    if result == .unchanged, changes.contains(id, in: chunk) { result = .updated }
                    if result == .rejected { continue }
                    if rows.records[row] >= 0 {
                        outcome.counts[result] += 1
                    } else {
                        count(result, isThere: group.key(id, in: chunk) > 0, of: unit, in: &related)
                    }
                }
                for row in rows.repeats where outcomes[Int(row)] != .rejected {
                    let id = RelatedChunk.RowID(unit: Int32(index), row: row)
                    let result = outcomes[Int(row)] == .skipped ? RecordOutcome.skipped : .unchanged
                    count(result, isThere: group.key(id, in: chunk) > 0, of: unit, in: &related)
                }
            }
            for refused in written[index].refused {
                let rows = group.shares[refused.batch].chunk.units[index]
                let record = rows.records[refused.row]
                if record >= 0 {
                    outcome.refused.append(
                        .init(chunk: refused.batch, unit: index, record: Int(record), fault: refused.fault))
                } else if case .incomplete = refused.fault, unit.parent == nil {
                    // It is not more than a reference, which waits.
                } else {
                    related.rejected += 1 + rows.repeats.count { Int($0) == refused.row }
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

    /// Counts an object inside of a record.
    private func count(
        _ result: RecordOutcome, isThere: Bool, of unit: RelatedPlan.Unit, in counts: inout RecordCounts
    ) {
        if result != .unchanged || isThere {
            counts[result] += 1
        } else if unit.parent != nil {
            // It, or an object around it, lacks a value, or would be new; others were only references.
            switch mode {
            case .upsert, .replace: counts.rejected += 1
            case .update: counts.skipped += 1
            case .insert, .ignore: break
            }
        }
    }
}
