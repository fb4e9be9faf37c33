import Foundation
import Synchronization
import TributaryConcurrency
import TributaryGraph
import TributaryJSON
import TributarySQLite

/// One run of an import, on one thread: takes prepared chunks in the order of the feed, writes them in groups, and keeps
/// the books and the journal in the transaction of each group.
final class ImportRun {
    let plan: ImportPlan
    let sources: [any ByteSource]
    let options: ImportOptions
    /// What others may look at while it runs.
    let watch: ImportWatch
    let rejects: RejectsFile?
    var journal: Journal
    /// The books, up to what has been written.
    var books: ImportSummary
    let lanes: [RowLane?]
    /// The ways of the routes with a closure.
    let objectLanes: [ObjectLane?]
    /// What was written since the last commit and must be told to others.
    var written = WrittenKeys()
    /// The connection of a dry run, which keeps everything in one transaction.
    var session: Connection?
    /// Compares rows with their tables, ahead of this thread.
    private(set) var comparer: ChunkComparer?
    /// The writer's place, while it is kept from one group to the next.
    var place: Connection?
    /// The number of the last chunk that was written, or is about to be.
    var lastChunk = 0
    /// Behind which chunk nothing is on its way, if none may take off.
    var landing: Int?
    /// Whether a closure called here has changed more than the object of its record, which chunks on their way have not seen.
    var hasReachedFurther = false
    /// Where others are told while this thread keeps the writer's place.
    let telling = DispatchQueue(label: "tributary telling")
    private let makeContext: @Sendable () -> PrivateContext
    private let started = ContinuousClock.now
    private let earlierSeconds: Double

    init(
        _ plan: ImportPlan, sources: [any ByteSource], options: ImportOptions, watch: ImportWatch, journal: Journal,
        rejects: RejectsFile?, makeContext: @escaping @Sendable () -> PrivateContext
    ) {
        self.makeContext = makeContext
        let context = makeContext()
        self.plan = plan
        self.sources = sources
        self.options = options
        self.watch = watch
        self.journal = journal
        self.rejects = rejects
        books = journal.entry.summary
        earlierSeconds = journal.entry.summary.seconds
        let run = journal.entry.run
        let roots = plan.lanes.map(\.entity.root)
        let isAlone = roots.map { root in roots.count { $0 == root } == 1 }
        objectLanes = plan.lanes.enumerated().map { number, lane in
            lane.objects.map {
                ObjectLane(
                    $0, plan.store, context, options, run: run, isAlone: isAlone[number],
                    filterBytes: plan.memory.filter)
            }
        }
        lanes = plan.lanes.enumerated().map { number, lane in
            lane.table.map { table in
                let rows = RowLane(
                    table, mode: options.mode, run: run, isAlone: isAlone[number], filterBytes: plan.memory.filter)
                if let growing = lane.growing, case .found(let maker) = lane.making {
                    rows.grows(growing, lane.entity) { maker.names }
                }
                return rows
            }
        }
    }

    // MARK: The whole run

    /// Reads and writes until the end, or until somebody stops it; true at the end.
    func run() throws -> Bool {
        // Somebody may come to hear of it while it runs.
        for lane in lanes { lane?.keepsKeys = session == nil }
        for lane in objectLanes { lane?.keepsKeys = session == nil }
        if journal.entry.phase == .load {
            guard try load() else {
                try note(.stopped)
                return false
            }
        }
        guard try finishLanes() else {
            try note(.stopped)
            return false
        }
        return true
    }

    private func load() throws -> Bool {
        try demandFewErrors()
        let jobs = plan.maker.isSerial ? 1 : options.jobs ?? ProcessInfo.processInfo.activeProcessorCount
        if journal.entry.records > 0 {
            try commit { try beginLanes($0) }
            guard try applyWaiting() else { return false }
        }
        comparer = try makeComparer(jobs: jobs)
        defer { comparer = nil }
        let feed = try makeFeed(jobs: jobs)
        defer {
            feed.cancel()
            feed.waitForThreads()
        }
        watch.begin { feed.cancel() }
        defer { watch.end() }
        try feed.start()
        do {
            if let comparer {
                guard try load(feed, comparer.flight) else { return false }
            } else {
                while let first = try feed.next() {
                    let isLast = try group(from: first, feed)
                    if watch.isStopped { return false }
                    if isLast { break }
                }
            }
        } catch is CancellationError where watch.isStopped {
            return false
        }
        try commit { _ in journal.entry.phase = .indexes }
        return true
    }

    /// Compares rows ahead of this thread where that is sound; nil if it is not for any route.
    private func makeComparer(jobs: Int) throws -> ChunkComparer? {
        guard session == nil, plan.store.isReadableMeanwhile else { return nil }
        // Closures of one route may look for what another one has made.
        guard lanes.count == 1 || objectLanes.allSatisfy({ $0 == nil }) else { return nil }
        let compared = try plan.store.read { connection in
            try lanes.map { lane in try lane.flatMap { try $0.isComparable(on: connection) ? $0.table : nil } }
        }
        for (lane, table) in zip(lanes, compared) { lane?.isCompared = table != nil }
        let work = lanes.indices.map { number -> ChunkComparer.Lane in
            if let table = compared[number] { return .rows(table) }
            let evaluator = objectLanes[number]?.evaluate(plan, makeContext: makeContext)
            return evaluator.map { .objects($0) } ?? .none
        }
        guard work.contains(where: { if case .none = $0 { false } else { true } }) else { return nil }
        return ChunkComparer(plan, work, mode: BulkMode(options.mode), jobs: jobs)
    }

    private func makeFeed(jobs: Int) throws -> ChunkFeed {
        var reading = options.reading
        let paths = plan.lanes.compactMap(\.route.path)
        reading.paths = paths.isEmpty ? reading.paths : paths
        reading.onError = options.onError
        reading.chunkRecords = max(1, options.batchSize)
        reading.queueBytes = plan.memory.reading
        reading.digests = true
        let reader = RecordReader(
            from: sources, options: reading, resumingAt: journal.entry.checkpoint, expected: journal.expectedDigest)
        watch.reader = reader
        return ChunkFeed(
            reader, plan.maker, comparer, jobs: jobs, queueBytes: plan.memory.feed,
            limit: options.limit.map { max(0, $0 - journal.entry.records) },
            meter: watch.meter)
    }

    // MARK: Writing

    /// Calls `body` in a transaction of the one connection that writes.
    func locked(_ body: (Connection) throws -> Void) throws {
        if let held = session ?? place { return try held.transaction { try body(held) } }
        try plan.store.importing { connection in
            try connection.transaction { try body(connection) }
        }
    }

    /// Calls `body` in a transaction, and writes the journal in the end of it.
    func commit(_ body: (Connection) throws -> Void) throws {
        let earlier = journal
        let earlierBooks = books
        written = WrittenKeys()
        watch.meter.enter(watch.phase.stage)
        defer { watch.meter.enter(nil) }
        do {
            try locked { connection in
                try body(connection)
                watch.meter.enter(.committing)
                try writeJournal(connection)
            }
        } catch {
            // What was not committed has not been.
            _ = endGroup()
            journal = earlier
            books = earlierBooks
            try? rejects?.cut(to: earlier.entry.rejects?.length ?? 0, hash: earlier.entry.rejects?.hash)
            throw error
        }
        watch.summary = books
        watch.meter.enter(.telling)
        tell(endGroup())
    }

    private func endGroup() -> [SavedChanges] { objectLanes.flatMap { $0?.endGroup() ?? [] } }

    /// Writes the books and the length of the rejects, which are on the disk before.
    private func writeJournal(_ connection: Connection) throws {
        try rejects?.sync()
        books.seconds = earlierSeconds + seconds
        books.peakMemory = max(books.peakMemory, ImportWatch.peakMemory)
        books.bytes = journal.entry.checkpoint?.byte ?? 0
        journal.entry.summary = books
        if let rejects {
            journal.entry.rejects?.length = rejects.length
            journal.entry.rejects?.hash = rejects.hash
            journal.entry.earlierRejects = nil
        }
        try journal.commit(on: connection)
    }

    private var seconds: Double {
        let spent = (ContinuousClock.now - started).components
        return Double(spent.seconds) + Double(spent.attoseconds) * 1e-18
    }

    /// Tells others what is committed: whoever hears of it may want to write, which he cannot on a thread that keeps the
    /// writer's place.
    private func tell(_ saves: [SavedChanges]) {
        let parts = written.lanes.map { lane, keys in (plan.lanes[lane].entity, keys.inserted, keys.updated) }
        written = WrittenKeys()
        let stores = plan.stores
        guard session == nil, !parts.isEmpty || !saves.isEmpty, stores.hasListeners else { return }
        let body: @Sendable () -> Void = {
            stores.announce(saves)
            stores.announce(parts)
        }
        if place == nil { body() } else { telling.async(execute: body) }
    }

    /// Notes how the run stands; what it has done is committed already.
    func note(_ state: JournalEntry.State, failure: String? = nil) throws {
        try commit { _ in
            journal.entry.state = state
            journal.entry.failure = failure
        }
    }

    /// Adds a refusal to the books and to the file.
    func refuse(_ reject: Reject, lane: Int?) throws {
        books.rejected += 1
        let route = lane.map { plan.lanes[$0].route }
        let origin = RejectOrigin(
            run: journal.entry.run, entity: route?.entityName, path: route?.path?.description,
            key: reject.key.map { RejectOrigin.Key($0, as: options.reading.keyName) })
        try rejects?.append(reject, of: origin)
    }

    func count(_ outcome: ObjectLane.Outcome) {
        books.inserted += outcome.inserted
        books.updated += outcome.updated
        books.unchanged += outcome.unchanged
        books.duplicate += outcome.duplicate
        books.skipped += outcome.skipped
    }

    func count(_ outcome: BulkOutcome, lane: Int) {
        books.inserted += outcome.inserted
        books.updated += outcome.updated
        books.unchanged += outcome.unchanged
        books.duplicate += outcome.duplicate
        books.skipped += outcome.skipped
        guard lanes[lane]?.keepsKeys ?? objectLanes[lane]?.keepsKeys ?? false else { return }
        written.add(inserted: outcome.insertedKeys, updated: outcome.updatedKeys, lane: lane)
    }
}
