import TributaryStore
import TributaryJSON
import TributarySQLite

/// Fills the empty tables of records and of the objects inside of them, page by page.
///
/// A record is loaded if each of its objects is new, or is equal to an earlier one. Any other record is held back, with all
/// later records that have an object of it: these are applied in feed order once the rows are in the tables.
final class RelatedLoad {
    /// The name under which records are held back.
    static let heldBack = ""

    private let plan: RelatedPlan
    private let run: Int
    /// For each unit its table.
    private let objects: [ObjectLoad]
    /// For each unit whether its objects have a key, and whether the row of one says everything about it.
    private let hasKey: [Bool]
    private let isPlain: [Bool]
    /// For each link its join table; nil if the links are in a column.
    private let joins: [JoinLoad?]
    /// The objects of records that are held back.
    private let waiting: KeyFilter
    // One thread writes, and no access to a field overlaps another.

    @exclusivity(unchecked) private var isWaiting = false
    @exclusivity(unchecked) private var loadedCount = 0
    @exclusivity(unchecked) private var heldBackCount = 0

    /// The loads of all tables.
    var loads: [DirectLoad] { objects.map(\.load) + joins.compactMap { $0?.load } }
    /// The largest load of a table that can be the file of a database.
    var largest: DirectLoad? { objects.map(\.load).max { $0.pageCount < $1.pageCount } }

    /// Whether so many records are held back that it takes less time to write all others otherwise.
    var isUseless: Bool { heldBackCount > 1000 && heldBackCount > loadedCount / 4 }

    // MARK: Beginning

    /// Reserves the loads of all tables, if `isWanted` and all are empty; finds those that the run has begun.
    ///
    /// - Returns: The loads of the units, then those of the join tables; nil if SQLite must write a table.
    static func reserve(
        _ plan: RelatedPlan, run: Int, isWanted: Bool, in store: SQLiteStore, on connection: Connection
    ) throws -> [LoadRow]? {
        let tables = plan.units.map(\.rows.name) + plan.joins.map(\.table)
        let (own, others) = try LoadRow.all(on: connection).reduce(into: (0, 0)) { counts, row in
            if row.run == run { counts.0 += 1 } else { counts.1 += 1 }
        }
        for table in tables { try LoadRow.checkNone(of: table, besides: run, store: store.name, on: connection) }
        guard own > 0 || isWanted && plan.canLoad, tables.count + others <= DirectLoad.most else { return nil }
        var rows: [LoadRow] = []
        for unit in plan.units {
            guard let row = try ObjectLoad.reserve(unit.rows, run: run, in: store, on: connection) else { break }
            rows.append(row)
        }
        for join in plan.joins where rows.count >= plan.units.count {
            guard let row = try JoinLoad.reserve(join, run: run, in: store, on: connection) else { break }
            rows.append(row)
        }
        if rows.count == tables.count { return rows }
        try LoadFiles.remove(besides: store.name, on: connection) { $0.run == run }
        return nil
    }

    /// Begins or resumes reserved loads, in some memory for all together.
    init(
        _ plan: RelatedPlan, _ rows: [LoadRow], run: Int, in store: SQLiteStore, _ memory: ImportMemory,
        on connection: Connection
    ) throws {
        (self.plan, self.run) = (plan, run)
        hasKey = plan.units.map { !$0.rows.key.isEmpty }
        isPlain = plan.units.map(\.isPlain)
        let targets = Set(plan.units.flatMap { $0.relations.map(\.target) })
        let share = (
            filter: memory.filter / (plan.units.count + 1), known: memory.known / max(1, targets.count),
            sorting: memory.sorting / rows.count
        )
        objects = try plan.units.indices.map { unit in
            try ObjectLoad(
                rows[unit], plan.units[unit].rows, isReferred: targets.contains(unit), in: store, share,
                on: connection)
        }
        var rest = rows[plan.units.count...]
        joins = try plan.links.map { link in
            guard !link.isColumn, let row = rest.popFirst() else { return nil }
            return try JoinLoad(row, link, in: store, sortBytes: share.sorting, on: connection)
        }
        let waiting = KeyFilter(byteCount: share.filter)
        var count = 0
        try PossibleDuplicatesTable.forEachOrigin(of: RelatedLoad.heldBack, run: run, on: connection) { text in
            for hash in Note(text).hashes { _ = waiting.insert(hash) }
            count += 1
        }
        (self.waiting, heldBackCount, isWaiting) = (waiting, count, count > 0)
    }

    // MARK: Records

    /// What became of the records of a chunk.
    struct Outcome {
        /// The counts of records.
        var counts = RecordCounts()
        /// For each unit the counts of objects inside of records.
        var related: [RecordCounts]
        /// For each unit the primary keys of its new rows.
        var keys: [[Int64]]
        /// The number of records that are held back.
        var heldBack = 0
    }

    /// What is stored with a record that is held back.
    struct Note {
        /// For each table the first primary key of its objects.
        var firsts: [Int64] = []
        /// The hashes of its objects.
        var hashes: [UInt64] = []

        init(firsts: [Int64], hashes: [UInt64]) { (self.firsts, self.hashes) = (firsts, hashes) }

        init(_ text: String) {
            let parts = text.split(separator: ";", omittingEmptySubsequences: false)
            firsts = parts.first?.split(separator: ",").compactMap { Int64($0) } ?? []
            hashes = parts.last?.split(separator: ",").compactMap { UInt64($0) } ?? []
        }

        var text: String {
            firsts.map(String.init).joined(separator: ",") + ";" + hashes.map(String.init).joined(separator: ",")
        }
    }

    /// The position of an object among those of the owner in a column.
    private struct Position {
        let column: Int
        let position: Int32
    }

    /// A chunk while its records are loaded.
    private struct Work {
        let chunk: RelatedChunk
        let firsts: [Int64]
        /// For each unit and row the primary key; 0 if it is not known.
        var keys: [[Int64]]
        /// For each unit and row the position among the objects of its owner; empty without such positions.
        var positions: [[Position?]]
        /// The rows of the current record that are new, and those that earlier objects have.
        var new: [RelatedChunk.RowID] = []
        var found: [RelatedChunk.RowID] = []
    }

    /// Loads the records of a chunk whose first primary key of each table is given, or holds them back.
    func add(
        _ chunk: RelatedChunk, firsts: [Int64], records: RecordChunk, on connection: Connection
    ) throws -> Outcome {
        var outcome = Outcome(
            related: plan.units.map { _ in RecordCounts() }, keys: plan.units.map { _ in [] })
        guard let parts = chunk.records else { fatalError("internal error: a chunk does not know its records") }
        var work = Work(
            chunk: chunk, firsts: firsts,
            keys: chunk.units.map { Array(repeating: 0, count: $0.batch.count) },
            positions: zip(plan.units, chunk.units).map { unit, rows in
                unit.hasPositions ? Array(repeating: nil, count: rows.batch.count) : []
            })
        for index in parts.records.indices {
            let range = parts.objects[index]
            let mentions = mentions(of: index, parts, chunk)
            guard let changed = load(range, mentions, &work) else {
                loadedCount += 1
                try write(mentions, &work)
                count(chunk.objects[Int(range.lowerBound)..<Int(range.upperBound)], work, &outcome)
                continue
            }
            let numbers = parts.numbers[index * parts.tableCount..<(index + 1) * parts.tableCount]
            let note = Note(firsts: zip(firsts, numbers).map { $0 + Int64($1) }, hashes: changed)
            for hash in changed { _ = waiting.insert(hash) }
            isWaiting = true
            heldBackCount += 1
            outcome.heldBack += 1
            try HeldBackRecord.insert(
                records[Int(parts.records[index])], note: note.text, table: RelatedLoad.heldBack, run: run,
                on: connection)
        }
        return outcome
    }

    /// For each list the mentions of a record.
    private func mentions(
        of index: Int, _ parts: RelatedChunk.RecordParts, _ chunk: RelatedChunk
    ) -> [ArraySlice<RelatedChunk.Mention>] {
        chunk.mentions.indices.map { list in
            let first = Int(parts.mentions[index * chunk.mentions.count + list])
            let isLast = index + 1 == parts.records.count
            let end =
                isLast ? chunk.mentions[list].count : Int(parts.mentions[(index + 1) * chunk.mentions.count + list])
            return chunk.mentions[list][first..<end]
        }
    }

    /// A hash of the key of an object and its unit.
    private func hash(_ id: RelatedChunk.RowID, _ work: Work) -> UInt64 {
        let hash = work.chunk.units[Int(id.unit)].batch.entries[Int(id.row)].hash
        return (hash ^ UInt64(id.unit + 1)) &* 0x9E37_79B9_7F4A_7C15
    }

    // MARK: One record

    /// Finds the primary keys of all objects of a record.
    ///
    /// - Returns: If the record must be held back, the hashes of the objects that it changes or makes; nil if it need not.
    private func load(
        _ range: Range<Int32>, _ mentions: [ArraySlice<RelatedChunk.Mention>], _ work: inout Work
    ) -> [UInt64]? {
        (work.new, work.found) = ([], [])
        var changed: [UInt64] = []
        var isHeldBack = false
        for number in range {
            let id = work.chunk.objects[Int(number)]
            let (unit, row) = (Int(id.unit), Int(id.row))
            let isPlain = isPlain[unit]
            if isWaiting, hasKey[unit], waiting.contains(hash(id, work)) {
                isHeldBack = true
                continue
            }
            if work.keys[unit][row] != 0 {
                if !isPlain { changed.append(hash(id, work)) }
                continue
            }
            let batch = work.chunk.units[unit].batch
            switch objects[unit].find(row, of: batch) {
            case .new:
                work.keys[unit][row] = work.firsts[plan.units[unit].table] + Int64(batch.entries[row].ordinal)
                work.new.append(id)
            case .known(let key):
                work.keys[unit][row] = key
                work.found.append(id)
                if !isPlain { changed.append(hash(id, work)) }
            case .unsure: changed.append(hash(id, work))
            }
        }
        for id in work.found {
            let (unit, row) = (Int(id.unit), Int(id.row))
            let isEqual = replaceLinks(id, &work) && objects[unit].isEqual(row, of: work.chunk.units[unit].batch)
            if !isEqual { changed.append(hash(id, work)) }
        }
        for id in work.new where !replaceLinks(id, &work) { isHeldBack = true }
        for (list, mentions) in mentions.enumerated() where list < plan.links.count {
            let isColumn = plan.links[list].isColumn
            for mention in mentions {
                for other in mention.others {
                    let row = work.chunk.others[list][Int(other)].row
                    if key(row, &work) == 0 { isHeldBack = true }
                    // An object that its owner only refers to changes with it.
                    guard isColumn, isReference(row, work) else { continue }
                    changed.append(hash(row, work))
                }
            }
        }
        guard isHeldBack || !changed.isEmpty else { return nil }
        return changed + work.new.compactMap { hasKey[Int($0.unit)] ? hash($0, work) : nil }
    }

    private func isReference(_ id: RelatedChunk.RowID, _ work: Work) -> Bool {
        work.chunk.units[Int(id.unit)].batch.entries[Int(id.row)].kind == .reference
    }

    /// The primary key of a row of the current record, or of the object that it refers to; 0 if it is not known.
    private func key(_ id: RelatedChunk.RowID, _ work: inout Work) -> Int64 {
        let (unit, row) = (Int(id.unit), Int(id.row))
        let known = work.keys[unit][row]
        let batch = work.chunk.units[unit].batch
        guard batch.entries[row].kind == .reference else { return known }
        if isWaiting, waiting.contains(hash(id, work)) { return 0 }
        if known != 0 { return known }
        guard case .known(let key) = objects[unit].find(row, of: batch) else { return 0 }
        work.keys[unit][row] = key
        return key
    }

    /// Replaces the links in the columns of a row by primary keys; false if one is not known.
    private func replaceLinks(_ id: RelatedChunk.RowID, _ work: inout Work) -> Bool {
        let unit = plan.units[Int(id.unit)]
        guard !unit.columns.isEmpty else { return true }
        var isComplete = true
        let chunk = work.chunk
        chunk.units[Int(id.unit)].batch.replaceLinks(ofRow: Int(id.row), count: unit.columns.count) { _, link in
            guard let link else { return .null }
            let key = key(RowLink.target(link, chunk.objects), &work)
            if key == 0 { isComplete = false }
            return .key(key)
        }
        return isComplete
    }

    /// Writes the new rows of the current record, and its pairs.
    private func write(_ mentions: [ArraySlice<RelatedChunk.Mention>], _ work: inout Work) throws {
        for (list, storage) in plan.links.enumerated() {
            for mention in mentions[list] {
                let owner = work.keys[Int(mention.owner.unit)][Int(mention.owner.row)]
                let relation = plan.units[Int(mention.owner.unit)].relations[Int(mention.relation)]
                let isFromTarget = storage.relationship != relation.relationship
                var seen: Set<Int64> = []
                for other in mention.others {
                    let (row, position) = work.chunk.others[list][Int(other)]
                    let (unit, index) = (Int(row.unit), Int(row.row))
                    if storage.isColumn {
                        // Of an object that is listed twice the first position counts.
                        guard case .pairs(_, _, let column?) = relation.way, !work.positions[unit].isEmpty,
                            work.positions[unit][index] == nil
                        else { continue }
                        work.positions[unit][index] = Position(column: column, position: position)
                        continue
                    }
                    let key = work.keys[unit][index]
                    guard mention.others.count == 1 || seen.insert(key).inserted else { continue }
                    if isFromTarget {
                        try joins[list]?.add(key, owner, position: Int64(max(1, seen.count) - 1))
                    } else {
                        try joins[list]?.add(owner, key, position: Int64(position))
                    }
                }
            }
        }
        for id in work.new {
            let (unit, row) = (Int(id.unit), Int(id.row))
            let position = work.positions[unit].isEmpty ? nil : work.positions[unit][row]
            try objects[unit].add(work.keys[unit][row], row, of: work.chunk.units[unit].batch) { column in
                position.flatMap { $0.column == column ? Int64($0.position) : nil }
            }
        }
    }

    private func count(_ objects: ArraySlice<RelatedChunk.RowID>, _ work: Work, _ outcome: inout Outcome) {
        guard let top = objects.first else { return }
        if work.new.first == top { outcome.counts.inserted += 1 } else { outcome.counts.unchanged += 1 }
        for id in work.new { outcome.keys[Int(id.unit)].append(work.keys[Int(id.unit)][Int(id.row)]) }
        for id in objects.dropFirst() { outcome.related[Int(id.unit)].unchanged += 1 }
        for id in work.new where id != top {
            outcome.related[Int(id.unit)].unchanged -= 1
            outcome.related[Int(id.unit)].inserted += 1
        }
    }
}
