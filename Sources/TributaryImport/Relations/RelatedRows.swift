import TributaryStore
import TributaryJSON
import TributarySQLite

/// Turns the records of one chunk, with all of their nested objects, into rows and the links between them.
final class RelatedRows {
    private let plan: RelatedPlan
    private let units: [RelatedUnitRows]
    // One thread makes the rows of a chunk, and no access to a field overlaps another.

    @exclusivity(unchecked) private var mentions: [[RelatedChunk.Mention]]
    @exclusivity(unchecked) private var others: [[(row: RelatedChunk.RowID, position: Int32)]]
    @exclusivity(unchecked) private var objects: [RelatedChunk.RowID] = []
    /// For each table the number of primary keys that objects use.
    @exclusivity(unchecked) private(set) var numbers: [Int]
    /// The counts before the current record, which is removed if it is rejected.
    @exclusivity(unchecked) private var mentionCounts: [Int]
    /// For each unit what checks a row after it was added, for what the target cannot hold; nil if it holds everything.
    private let checks: [RowCheck]?
    /// What each record has made; nil unless that is wanted.
    @exclusivity(unchecked) private var records: RelatedChunk.RecordParts?

    /// Prepares to make the rows of `count` records.
    init(
        _ plan: RelatedPlan, tableCount: Int, expecting count: Int, bytes: Int, makeCheck: RowCheckMaker? = nil,
        keepsRecords: Bool = false
    ) {
        checks = makeCheck.map { plan.units.indices.map($0) }
        records = keepsRecords ? RelatedChunk.RecordParts(tableCount: tableCount) : nil
        self.plan = plan
        units = plan.units.enumerated().map { index, unit in
            RelatedUnitRows(
                unit, of: plan, isReferred: plan.targets.contains(index), expecting: unit.isTop ? count : 0,
                bytes: unit.isTop ? bytes : min(4096, bytes))
        }
        mentions = Array(repeating: [], count: plan.listCount)
        others = Array(repeating: [], count: plan.listCount)
        mentionCounts = Array(repeating: 0, count: plan.listCount)
        numbers = Array(repeating: 0, count: tableCount)
    }

    /// The rows of all records that were added.
    var chunk: RelatedChunk {
        RelatedChunk(
            units: units.map(\.rows), mentions: mentions, others: others, objects: objects, records: records)
    }

    /// Whether the row of a record may be refused when it is written.
    var mayBeRefusedLater: Bool {
        units.contains { $0.unit.isTop && ($0.unit.maker.table.mayRefuse || $0.batch.hasIncompleteRows) }
    }

    /// Adds a record of a unit; returns why it is rejected, or nil.
    func add(_ record: Record, index: Int, unit: Int) -> JSONError? {
        for rows in units { rows.beginRecord() }
        for link in mentions.indices { mentionCounts[link] = mentions[link].count }
        let (first, earlier) = (objects.count, records == nil ? [] : numbers)
        do {
            _ = try add(record.value, Context(record: record, index: index), to: unit)
            if records != nil { keep(index, Int32(first)..<Int32(objects.count), earlier) }
            return nil
        } catch {
            for rows in units { rows.removeRecord() }
            for (link, count) in mentionCounts.enumerated() { mentions[link].removeSubrange(count...) }
            record.clearFailure()
            return error as? JSONError ?? record.value.failure(.convertFormat, "\(error)")
        }
    }

    /// Keeps what the record added last has made.
    private func keep(_ index: Int, _ objects: Range<Int32>, _ earlier: [Int]) {
        records?.records.append(Int32(index))
        records?.objects.append(objects)
        for count in mentionCounts { records?.mentions.append(Int32(count)) }
        for number in earlier { records?.numbers.append(Int32(number)) }
    }

    // MARK: Objects

    /// Where an object is.
    private struct Context {
        let record: Record
        /// The index of the record; -1 inside of it.
        let index: Int
        /// The name of its member in an object of objects, which is its key if it has none.
        var name: String?
        /// The column for its owner, with the number of that.
        var owner: (column: Int, number: Int)?
    }

    /// The value of a relation of an object: the rows with their positions, none for null.
    private typealias RelationValue = (rows: [(row: RelatedChunk.RowID, position: Int32)], areWritten: Bool)

    /// Adds an object, after those inside of it; returns its row.
    private func add(_ object: JSON, _ context: Context, to index: Int) throws -> RelatedChunk.RowID {
        let rows = units[index]
        let unit = rows.unit
        let ordinal = numbers[unit.table]
        numbers[unit.table] += 1
        let number = objects.count
        objects.append(RelatedChunk.RowID(unit: -1, row: -1))
        return try rows.withBuffers { buffers in
            rows.maker.project(object, into: &buffers.scratch)
            if buffers.scratch.name != nil || context.name != nil { buffers.scratch.name = context.name }
            var values: [RelationValue?] = []
            if rows.relationCount > 0 {
                values.reserveCapacity(rows.relationCount)
                for relation in 0..<rows.relationCount {
                    values.append(try read(relation, of: unit, owner: number, context.record, buffers))
                }
            }
            rows.batch.begin(ordinal: ordinal)
            let isIncomplete = addLinks(values, unit, context, to: rows.batch)
            let error = rows.maker.finish(
                object, context.record, to: rows.batch, isIncomplete: isIncomplete, &buffers.scratch)
            if let error { throw error }
            if var refusal = checks?[index](rows.batch) {
                refusal.position = context.record.position
                throw refusal
            }
            let row = rows.keep(record: context.index, context.index < 0 ? .part : .record)
            let id = RelatedChunk.RowID(unit: Int32(index), row: row)
            objects[number] = id
            for (relation, value) in values.enumerated() { mention(value, relation, of: unit, owner: id) }
            return id
        }
    }

    /// Adds the columns of to-one relationships; true if a new row lacks one that it must have.
    private func addLinks(
        _ values: [RelationValue?], _ unit: RelatedPlan.Unit, _ context: Context, to batch: RowBatch
    ) -> Bool {
        var isIncomplete = false
        for (column, relationship) in unit.columns.enumerated() {
            if let owner = context.owner, owner.column == column {
                batch.add(link: RowLink.object(owner.number))
                continue
            }
            let value = unit.relationOfColumn[column].flatMap { values[$0] }
            if let row = value?.rows.first?.row {
                batch.add(link: RowLink.row(row))
                continue
            }
            if value == nil { batch.addAbsent() } else { batch.addNull() }
            if !relationship.isOptional { isIncomplete = true }
        }
        return isIncomplete
    }

    /// Records the value of a relation whose links are not in a column of its row alone.
    private func mention(_ value: RelationValue?, _ index: Int, of unit: RelatedPlan.Unit, owner: RelatedChunk.RowID) {
        let relation = unit.relations[index]
        guard let value, let list = relation.list else { return }
        let isColumn = if case .column = relation.way { true } else { false }
        let first = Int32(others[list].count)
        others[list] += value.rows
        mentions[list].append(
            RelatedChunk.Mention(
                owner: owner, relation: Int32(index), action: relation.mapped.action,
                others: first..<first + Int32(value.rows.count), isWritten: isColumn || value.areWritten))
    }

    // MARK: Relations

    /// Reads the value of a relation, and adds the rows of its objects; nil if the record says nothing about it.
    private func read(
        _ index: Int, of unit: RelatedPlan.Unit, owner: Int, _ record: Record, _ buffers: RelatedUnitRows.Buffers
    ) throws -> RelationValue? {
        let relation = unit.relations[index]
        for path in unit.maker.relationPaths[index] {
            switch buffers.scratch.values.raw(path) {
            case .missing: continue
            case .null: return relation.mapped.policy == .keepNull ? nil : ([], false)
            default: break
            }
            let value: JSON = buffers.scratch.values[path]
            if value.isMissing {
                let failure = record.failure
                record.clearFailure()
                throw failure ?? value.mismatch(expected: "an object")
            }
            if relation.mapped.mismatch != .reject,
                relation.mapped.isUnfit(value, for: units[relation.target].unit.mapping)
            {
                buffers.scratch.notes.addUnfit(unit.mapping.attributes.count + index)
                return relation.mapped.mismatch == .null ? ([], false) : nil
            }
            return try read(value, relation, owner, record)
        }
        return value(ofMissing: relation, in: unit)
    }

    /// The value of a relation whose member an object lacks.
    ///
    /// An object without a key is replaced as a whole, since nothing identifies it with the one in its place.
    private func value(ofMissing relation: RelatedPlan.Relation, in unit: RelatedPlan.Unit) -> RelationValue? {
        guard let parent = unit.parent, relation.mapped.policy == .feed || relation.mapped.policy == .program else {
            return nil
        }
        // The link to its owner is known.
        if let inverse = relation.relationship.inverse, inverse.name == parent.relation,
            inverse.entity.name == parent.entity
        {
            return nil
        }
        if !relation.mapped.isToOne, case .pairs(_, _, _?) = relation.way { return ([], true) }
        return ([], false)
    }

    private func read(_ value: JSON, _ relation: RelatedPlan.Relation, _ owner: Int, _ record: Record) throws
        -> RelationValue
    {
        var context = Context(record: record, index: -1)
        if case .pairs(_, _, let column?) = relation.way { context.owner = (column, owner) }
        var rows: [(row: RelatedChunk.RowID, position: Int32)] = []
        var areWritten = context.owner != nil
        let target = units[relation.target]
        try relation.mapped.forEachObject(in: value, of: target.unit.mapping) { value, name in
            let position = Int32(rows.count)
            if target.unit.mapping.valueColumn != nil || value.isObject(of: target.unit.mapping) {
                context.name = name
                rows.append((try add(value, context, to: relation.target), position))
            } else {
                areWritten = false
                let check = checks?[relation.target]
                let row = try target.addReference(value, isStub: relation.dangling == .stub, check) {
                    defer { numbers[target.unit.table] += 1 }
                    return numbers[target.unit.table]
                }
                rows.append((RelatedChunk.RowID(unit: Int32(relation.target), row: row), position))
            }
        }
        return (rows, areWritten)
    }
}

extension MappedRelation {
    /// What becomes of earlier links.
    var action: LinkEvent.Action {
        switch links {
        case .replace: .replace
        case .merge: .merge
        case .append: .append
        }
    }
}
