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

    private let plan: ImportPlan.Objects
    private let store: SQLiteStore
    private let context: PrivateContext
    private let mode: ImportMode
    private let filterBytes: Int
    private let limits: ReadLimits
    private var keptBytes: Int { limits.rejectedBytes }
    private var firstLoad: FirstLoad?
    private let run: Int
    /// Whether no other route leads into the table.
    private let isAlone: Bool
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
    func begin(on connection: Connection, _ keys: KeyTable) throws {
        context.performAndWait { $0.holdSaves() }
        if hasBegun {
            if firstLoad != nil, try MissingIndexes.run(of: plan.table.name, on: connection) != run {
                firstLoad = nil
                hasWaiting = true
            }
            return
        }
        hasBegun = true
        guard mode != .update, isAlone else {
            hasWaiting = true
            return try FirstLoad.endOther(of: plan.table.name, run: run, on: connection)
        }
        let writer = BulkWriter(plan.table, mode: .upsert, on: connection, keys: keys)
        firstLoad = try FirstLoad.begin(writer, run: run, on: connection, filterBytes: filterBytes)
        hasWaiting = firstLoad == nil
    }

    /// Calls the closure for records, in the order of the feed, and saves what has changed.
    ///
    /// - Parameters:
    ///   - records: Some of a chunk.
    ///   - hashes: Those of their keys.
    ///   - numbers: Those that their objects get.
    ///   - connection: The one that writes.
    /// - Returns: What has become of those that were not set aside.
    /// - Throws: what reading or writing the store throws.
    func take(
        _ records: [Record], hashes: [UInt64?], numbers: [Int64], on connection: Connection
    ) throws -> Outcome {
        guard let firstLoad else { return try apply(records, numbers, isFirst: false, connection).outcome }
        var (kept, keptNumbers): ([Record], [Int64]) = ([], [])
        var fresh: Set<UInt64> = []
        var text: [UInt8] = []
        for (index, record) in records.enumerated() {
            if let hash = hashes[index], !fresh.contains(hash) {
                guard !firstLoad.mustWait(hash) else {
                    text.removeAll(keepingCapacity: true)
                    record.value.appendCompact(to: &text)
                    try text.withUnsafeBytes { raw in
                        try AsideTable.add(
                            raw: raw, hash: hash, number: numbers[index],
                            origin: RowOrigin(record, keepingBytes: keptBytes).text, table: plan.table.name, run: run,
                            on: connection)
                    }
                    firstLoad.note(isAside: true)
                    continue
                }
                fresh.insert(hash)
            }
            kept.append(record)
            keptNumbers.append(numbers[index])
            firstLoad.note(isAside: false)
        }
        let (outcome, isAlone) = try apply(kept, keptNumbers, isFirst: true, connection)
        // Closures that reach further than their object need the indexes.
        if firstLoad.isPastUse || !isAlone {
            try MissingIndexes.make(of: plan.table.name, on: connection)
            self.firstLoad = nil
            hasWaiting = true
        }
        return outcome
    }

    private func apply(
        _ records: [Record], _ numbers: [Int64], isFirst: Bool, _ connection: Connection
    ) throws -> (outcome: Outcome, isAlone: Bool) {
        guard !records.isEmpty else { return (Outcome(), true) }
        return try store.within(connection) {
            try context.performAndWait { context in
                defer { context.reset() }
                var batch = RecordBatch(plan.key)
                batch.mode = mode
                batch.isFirst = isFirst
                batch.numbers = numbers
                batch.rejectedBytes = keptBytes
                let result = try batch.apply(records, in: context, setter: plan.setter)
                var outcome = Outcome()
                outcome.inserted = result.inserted
                outcome.updated = result.updated
                outcome.unchanged = result.unchanged
                outcome.duplicate = result.duplicate
                outcome.skipped = result.skipped
                outcome.rejects = result.rejects
                let pending = context.pendingCounts
                if pending.inserted + pending.other > 0 { try context.save() }
                return (outcome, pending.other == 0 && pending.inserted == result.inserted)
            }
        }
    }

    /// Tells other contexts what the group has saved, if it was kept.
    func endGroup(isKept: Bool) { context.performAndWait { $0.tellHeldSaves(ifKept: isKept) } }

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
        reading.limits = limits
        let reader = RecordReader(from: [MemorySource(lines, name: "records set aside")], options: reading)
        var all = Outcome()
        var place = 0
        while let chunk = try reader.next() {
            let records = Array(chunk)
            let numbers = waiting[place..<place + records.count].map(\.number)
            var (outcome, _) = try apply(records, numbers, isFirst: false, connection)
            // Messages name the place in the source.
            outcome.rejects = try outcome.rejects.map { reject in
                guard let number = reject.record else { return reject }
                return try RowOrigin(waiting[number - 1].origin).reject(reject.error)
            }
            place += records.count
            all.add(outcome)
        }
        return all
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
