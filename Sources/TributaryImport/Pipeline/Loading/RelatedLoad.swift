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

    let plan: RelatedPlan
    private let run: Int
    /// For each unit its table.
    let objects: [ObjectLoad]
    /// For each unit whether its objects have a key, and whether the row of one says everything about it.
    let hasKey: [Bool]
    let isPlain: [Bool]
    /// For each link its join table; nil if the links are in a column.
    let joins: [JoinLoad?]
    /// The objects of records that are held back.
    let waiting: KeyFilter
    // One thread writes, and no access to a field overlaps another.

    @exclusivity(unchecked) private(set) var isWaiting = false
    /// Whether references wait for their objects.
    @exclusivity(unchecked) private(set) var isReferring = false
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
        guard own > 0 || isWanted && plan.canLoad, own > 0 || tables.count + others <= DirectLoad.most else {
            return nil
        }
        guard own == 0 || own == tables.count else { throw RelatedLoad.otherTables(run, store) }
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
        guard own == 0 else { throw RelatedLoad.otherTables(run, store) }
        try LoadFiles.remove(besides: store.name, on: connection) { $0.run == run }
        return nil
    }

    private static func otherTables(_ run: Int, _ store: SQLiteStore) -> ImportError {
        ImportError(
            .journal, "\(store.name): the tables are not those that run \(run) has begun to load",
            hint: "begin again with resuming set to .restart")
    }

    /// Begins or resumes reserved loads, in some memory for all together; `read` records were read before.
    init(
        _ plan: RelatedPlan, _ rows: [LoadRow], run: Int, read: Int, in store: SQLiteStore, _ memory: ImportMemory,
        on connection: Connection
    ) throws {
        (self.plan, self.run) = (plan, run)
        hasKey = plan.units.map { !$0.rows.key.isEmpty }
        isPlain = plan.units.map(\.isPlain)
        let share = (
            filter: memory.filter / (plan.units.count + 1), known: KnownObjects.Room(bytes: memory.known),
            sorting: memory.sorting / rows.count
        )
        objects = try plan.units.indices.map { unit in
            try ObjectLoad(
                rows[unit], plan.units[unit].rows, isReferred: plan.targets.contains(unit), in: store, share,
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
        loadedCount = read - count
        isReferring = try !WaitingTable.isEmpty(on: connection)
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
        /// The first record that lacks a value that it must have, and the column; nil if there is none, or others count.
        var refusal: (record: Int, column: String)?
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

    /// Loads the records of a chunk whose first primary key of each table is given, or holds them back.
    func add(
        _ chunk: RelatedChunk, firsts: [Int64], records: RecordChunk, stopsAtReject: Bool, on connection: Connection
    ) throws -> Outcome {
        var outcome = Outcome(
            related: plan.units.map { _ in RecordCounts() }, keys: plan.units.map { _ in [] })
        guard let parts = chunk.records else { fatalError("internal error: a chunk does not know its records") }
        var work = LoadedChunk(chunk, parts, firsts: firsts, of: plan)
        var waitingReferences: [(relation: String, owner: Int64, position: Int, key: [SQLValue])] = []
        for index in parts.records.indices {
            guard let changed = load(index, &work) else {
                loadedCount += 1
                try write(index, &work)
                addWaiting(work, to: &waitingReferences)
                count(parts.objects[index], work, &outcome)
                continue
            }
            if stopsAtReject, let column = missingColumn(of: index, parts, chunk) {
                outcome.refusal = (Int(parts.records[index]), column)
                break
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
        if !waitingReferences.isEmpty { try WaitingTable.append(waitingReferences, run: run, on: connection) }
        return outcome
    }

    /// The column of a record for which it must have a value, and has none.
    private func missingColumn(
        of index: Int, _ parts: RelatedChunk.RecordParts, _ chunk: RelatedChunk
    ) -> String? {
        let top = chunk.objects[Int(parts.objects[index].lowerBound)]
        return objects[Int(top.unit)].missingColumn(Int(top.row), of: chunk.units[Int(top.unit)].batch)
    }

    /// Adds the references of the current record to objects that are not there yet.
    private func addWaiting(
        _ work: LoadedChunk, to references: inout [(relation: String, owner: Int64, position: Int, key: [SQLValue])]
    ) {
        if !work.waiting.isEmpty { isReferring = true }
        for reference in work.waiting {
            let (owner, target) = (reference.owner, reference.target)
            references.append(
                (
                    plan.units[Int(owner.unit)].relations[reference.relation].name,
                    work.keys[Int(owner.unit)][Int(owner.row)], Int(reference.position),
                    objects[Int(target.unit)].key(Int(target.row), of: work.chunk.units[Int(target.unit)].batch)
                ))
        }
    }
}
