import TributaryGraph
import TributaryJSON
import TributarySQLite

/// The way of one route's records through a closure into objects, and with a save into their table.
final class ObjectLane {
    /// What has become of records.
    struct Outcome: Sendable {
        var inserted = 0
        var updated = 0
        var unchanged = 0
        var duplicate = 0
        var skipped = 0
        var rejects: [Reject] = []
    }

    /// A closure reads or writes more than its object, while something that came before is not to be found.
    struct LooksAround: Error {}

    let plan: ImportPlan.Objects
    let store: SQLiteStore
    let context: PrivateContext
    let mode: ImportMode
    private let filterBytes: Int
    private let limits: ReadLimits
    var keptBytes: Int { limits.rejectedBytes }
    private var writer: BulkWriter?
    private var firstLoad: FirstLoad?
    /// Calls the closure ahead of the thread that writes, if that is sound.
    private(set) var evaluator: ObjectEvaluator?
    /// Whether the numbers of rows are wanted.
    var keepsKeys = false
    private let run: Int
    /// Whether no other route leads into the table.
    private let isAlone: Bool
    /// Whether closures that are called now find all that came before.
    private(set) var mayLookAround = true
    private var hasBegun = false
    /// Whether records may wait that come before all that is taken next: their first load has ended early.
    private(set) var hasWaiting = false

    init(
        _ plan: ImportPlan.Objects, _ store: SQLiteStore, _ context: PrivateContext, _ options: ImportOptions, run: Int,
        isAlone: Bool, filterBytes: Int
    ) {
        self.plan = plan
        self.store = store
        self.context = context
        self.run = run
        self.isAlone = isAlone
        self.filterBytes = filterBytes
        mode = options.mode
        limits = options.reading.limits
    }

    /// Whether objects go into a table that was empty, whose indexes are made in the end.
    var isLoadingFirst: Bool { firstLoad != nil }

    /// Prepares to write; in the transaction of the first group.
    func begin(on connection: Connection) throws {
        holdSaves()
        if hasBegun {
            if firstLoad != nil, try MissingIndexes.run(of: plan.table.name, on: connection) != run {
                firstLoad = nil
                hasWaiting = true
            }
            // Another import may have begun a first load since then: it would not see what is written here.
            if firstLoad == nil { try FirstLoad.endOther(of: plan.table.name, run: run, on: connection) }
            return
        }
        hasBegun = true
        let writer = BulkWriter(plan.table, mode: BulkMode(mode), on: connection)
        self.writer = writer
        guard mode != .update, isAlone else {
            hasWaiting = true
            return try FirstLoad.endOther(of: plan.table.name, run: run, on: connection)
        }
        firstLoad = try FirstLoad.begin(writer, run: run, on: connection, filterBytes: filterBytes)
        hasWaiting = firstLoad == nil
    }

    /// Calls the closure for records, in the order of the feed, and saves what has changed.
    ///
    /// - Parameters:
    ///   - records: Some of a chunk.
    ///   - hashes: Those of their keys.
    ///   - numbers: Those that their objects get.
    ///   - mayLookAround: Whether closures find all that came before: no table is being filled without its indexes.
    ///   - connection: The one that writes.
    /// - Returns: What has become of those that were not set aside.
    /// - Throws: `LooksAround` if a closure does that where it may not, what reading or writing the store throws.
    func take(
        _ records: [Record], hashes: [UInt64?], numbers: [Int64], mayLookAround: Bool, on connection: Connection
    ) throws -> Outcome {
        self.mayLookAround = mayLookAround
        defer { self.mayLookAround = true }
        guard let firstLoad else { return try apply(records, numbers, isFirst: false, connection).outcome }
        var (kept, keptNumbers): ([Record], [Int64]) = ([], [])
        var fresh: Set<UInt64> = []
        for (index, record) in records.enumerated() {
            if let hash = hashes[index], !fresh.contains(hash) {
                guard !firstLoad.mustWait(hash) else {
                    try setAside(record, hash, numbers[index], connection)
                    firstLoad.note(aside: 1, rows: 0)
                    continue
                }
                fresh.insert(hash)
            }
            kept.append(record)
            keptNumbers.append(numbers[index])
            firstLoad.note(aside: 0, rows: 1)
        }
        let applied = try apply(kept, keptNumbers, isFirst: true, connection)
        // Closures that reach further than their object need the indexes.
        if firstLoad.isPastUse || !applied.isAlone {
            try MissingIndexes.make(of: plan.table.name, on: connection)
            self.firstLoad = nil
            hasWaiting = true
        }
        return applied.outcome
    }

    /// Sets a record aside until the indexes are there.
    private func setAside(_ record: Record, _ hash: UInt64, _ number: Int64, _ connection: Connection) throws {
        var text: [UInt8] = []
        record.value.appendCompact(to: &text)
        try text.withUnsafeBytes { raw in
            try AsideTable.add(
                raw: raw, hash: hash, number: number, origin: RowOrigin(record, keepingBytes: keptBytes).text,
                table: plan.table.name, run: run, on: connection)
        }
    }

    /// Keeps what is saved from now on until the group is committed.
    func holdSaves() { context.performAndWait { $0.holdSaves() } }

    /// What the group has saved, for others to be told of.
    func endGroup() -> [SavedChanges] { context.performAndWait { $0.takeHeldSaves() } }

    /// How much of that there is.
    var heldSaveCount: Int { context.performAndWait { $0.heldSaveCount } }

    /// Forgets what was saved after there was so much, and has been undone.
    func cutHeldSaves(to count: Int) { context.performAndWait { $0.cutHeldSaves(to: count) } }

    /// Makes the indexes that a first load has left out.
    func makeIndexes(on connection: Connection) throws {
        firstLoad = nil
        try MissingIndexes.make(of: plan.table.name, on: connection)
    }

    /// Applies the next records that were set aside; nil if there are none.
    func takeAside(_ limit: Int, bytes: Int, on connection: Connection) throws -> Outcome? {
        let waiting = try AsideTable.takeRaw(
            limit, bytes: bytes, of: plan.table.name, run: run, on: connection)
        guard !waiting.isEmpty else {
            hasWaiting = false
            return nil
        }
        var lines: [UInt8] = []
        for record in waiting {
            lines += record.raw
            lines.append(UInt8(ascii: "\n"))
        }
        var reading = ReadOptions()
        reading.format = .ndjson
        reading.paths = [.root]
        // It was within the limits when it was read, and has become a little longer.
        reading.limits = limits.asWideAsPossible
        let reader = RecordReader(from: [MemorySource(lines, name: "records set aside")], options: reading)
        var all = Outcome()
        var place = 0
        while let chunk = try reader.next() {
            let records = Array(chunk)
            let numbers = waiting[place..<place + records.count].map(\.number)
            var outcome = try apply(records, numbers, isFirst: false, connection).outcome
            // Messages name the place in the source.
            outcome.rejects = try outcome.rejects.map { reject in
                guard let number = reject.record else { return reject }
                let origin = try RowOrigin(waiting[number - 1].origin)
                guard let start = records.first(where: { $0.number == number })?.position else {
                    return origin.reject(reject.error)
                }
                return origin.reject(foundAside: reject.error, in: waiting[number - 1].raw, from: start.byte)
            }
            place += records.count
            all.add(outcome)
        }
        return all
    }
}

/// Records whose closure has been called ahead of the thread that writes.
extension ObjectLane {
    /// Lets the closure be called ahead, if objects of the table are plain rows and nobody else writes them.
    func evaluate(_ run: ImportPlan, makeContext: @escaping @Sendable () -> PrivateContext) -> ObjectEvaluator? {
        guard isAlone, plan.table.kinds == nil, !plan.table.hasOtherConstraints else { return nil }
        evaluator = ObjectEvaluator(plan, run, mode: mode, makeContext: makeContext)
        return evaluator
    }

    /// Whether the closure is called for objects that are looked up.
    var isLookingUp: Bool { evaluator?.current == .lookingUp }

    /// Whether the first load should end.
    var wantsOtherWay: Bool { firstLoad?.isPastUse ?? false || mustLookUp }

    /// Whether it must end before more is written: a closure that reaches further wants to find what came before.
    var mustLookUp: Bool { firstLoad != nil && evaluator?.hasLeft ?? false }

    /// Says how chunks that take off from now on are treated.
    func settleWay() {
        guard let evaluator else { return }
        guard let firstLoad else { return evaluator.treat(.lookingUp) }
        evaluator.treat(.firstLoad, filter: firstLoad.filter, hasAside: firstLoad.asideCount > 0)
    }

    /// Makes the indexes now, if a first load has left them out; what waits is to be applied.
    func endFirstLoad(on connection: Connection) throws {
        try makeIndexes(on: connection)
        hasWaiting = true
    }

    /// Writes what closures have made of the records of several chunks.
    func write(_ parts: [PreparedChunk.Part], firsts: [Int64]) throws -> BulkOutcome {
        guard let writer else { fatalError("a lane begins before it takes records") }
        writer.keepsKeys = keepsKeys
        let outcome = try writer.write(
            parts.compactMap(\.rows), parts.compactMap(\.comparison), firstKeys: firsts, ofObjects: true)
        firstLoad?.note(aside: 0, rows: outcome.inserted)
        return outcome
    }

    /// Takes records that had to wait for others of their keys: applies them, or sets them aside in a first load.
    ///
    /// - Returns: What has become of them; whether other objects have changed, which chunks that were worked on ahead have
    ///   not seen.
    /// - Throws: what reading or writing the store throws.
    func take(
        _ late: LateRecords, first: Int64, on connection: Connection
    ) throws -> (outcome: Outcome, reachesFurther: Bool) {
        guard let firstLoad else {
            let watch = StoreWatch.noting()
            let applied = try apply(
                late.records, late.ordinals.map { first + Int64($0) }, isFirst: false, connection, watch: watch)
            if watch.wasUsed || applied.reachesFurther { evaluator?.leave() }
            return (applied.outcome, applied.reachesFurther)
        }
        for index in late.records.indices {
            try setAside(late.records[index], late.hashes[index], first + Int64(late.ordinals[index]), connection)
        }
        firstLoad.note(aside: late.count, rows: 0)
        return (Outcome(), false)
    }
}

extension ObjectLane.Outcome {
    /// How many records they are.
    var total: Int { inserted + updated + unchanged + duplicate + skipped + rejects.count }

    /// Adds what other records have become.
    mutating func add(_ other: ObjectLane.Outcome) {
        inserted += other.inserted
        updated += other.updated
        unchanged += other.unchanged
        duplicate += other.duplicate
        skipped += other.skipped
        rejects += other.rejects
    }
}
