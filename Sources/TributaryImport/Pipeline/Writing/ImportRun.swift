import Foundation
import Synchronization
import TributaryConcurrency
import TributaryStore
import TributaryJSON
import TributarySQLite

/// One run of an import, on one thread: writes prepared chunks in feed order, in groups; the transaction of a group
/// includes the counts and the journal.
final class ImportRun {
    let plan: ImportPlan
    let sources: [any ByteSource]
    let options: ImportOptions
    /// The progress, for other threads.
    let watch: ImportWatch
    var journal: Journal
    /// The counts of all written records.
    var summary: ImportSummary {
        _read { yield journal.entry.summary }
        _modify { yield &journal.entry.summary }
    }
    /// The paths of the mapping of each route.
    let mappedPaths: [[MappedPath]]
    /// The writer of each route.
    let writers: [RouteWriter]
    /// Writes the records of all routes with their nested objects; nil if no route has relations.
    let related: RelatedWriter?
    /// Fills the tables of these; nil if SQLite writes them.
    var relatedLoad: RelatedLoad?
    /// The loads of these that an earlier process has completed.
    var completeLoads: [DirectLoad] = []
    /// The load whose file has become that of the database.
    var adopted: DirectLoad?
    /// The primary keys written since the last commit, to be announced.
    var written = WrittenKeys()
    /// The changed objects of references that were resolved since the last commit, to be announced.
    var resolved: [(entity: Entity, keys: [Int64])] = []
    /// Whether the transaction moves the rows of loads into their tables.
    var publishes = false
    /// What announces the saves of contexts since the last commit, without those rolled back.
    var saves: [@Sendable () -> Void] = []
    /// The connection of a dry run, which is one transaction.
    var session: Connection?
    /// Looks chunks up and compares them, ahead of this thread.
    private(set) var comparer: ChunkComparer?
    /// The connection that writes, while it is held from one group to the next.
    var heldConnection: Connection?
    /// The number of the last chunk of the current group.
    var lastChunk = 0
    /// The last chunk to write before another thread may write; nil while the gate is open.
    var lastAdmittedChunk: Int?
    /// The name of the feed of a sync; nil for any other import.
    var feed: String? { journal.entry.identity.feed }
    /// The rows that were written or found since the last commit, by root entity.
    var seen: [String: KeyBitmap] = [:]
    /// The rows that were only referred to since the last commit, by root entity.
    var referred: [String: KeyBitmap] = [:]
    /// Keeps what the run changes; nil if that is not wanted.
    private(set) var recorder: ChangeRecorder?
    /// The queue to announce saves on while this thread holds the connection that writes.
    let notificationQueue = DispatchQueue(label: "tributary notifications")
    private let started = ContinuousClock.now
    private let earlierSeconds: Double

    init(
        _ plan: ImportPlan, sources: [any ByteSource], options: ImportOptions, watch: ImportWatch, journal: Journal
    ) {
        self.plan = plan
        self.sources = sources
        self.options = options
        self.watch = watch
        self.journal = journal
        mappedPaths = plan.routes.enumerated().map { number, route in
            plan.related.map { $0.units[$0.unitOfRoute[number]].mappedPaths } ?? route.mappedPaths
        }
        earlierSeconds = journal.entry.summary.seconds
        let run = journal.entry.run
        recorder = ImportRun.recorder(of: plan, options, journal.entry)
        let roots = plan.routes.map(\.entity.root)
        // A setter that takes the context may write into any table; a retry holds nothing back.
        let isAlone = roots.map { root in !plan.takesContext && !options.isRetry && roots.count { $0 == root } == 1 }
        related = plan.related.map {
            RelatedWriter(
                $0, mode: options.mode, run: run, schema: plan.store.schema, mayRepeat: options.onError == .stop)
        }
        let settings = ObjectSettings(
            store: plan.store, mode: options.mode, rejectedBytes: options.reading.limits.rejectedBytes,
            keepsSeenKeys: plan.identity.feed != nil, stopsAtReject: plan.maker.stopsAtReject,
            hasTriggers: plan.hasTriggers)
        let works = plan.objects.makeWorks(of: plan.routes.map(\.objects), settings)
        writers = plan.routes.enumerated().map { number, route in
            if let related = plan.related {
                let table = related.units[related.unitOfRoute[number]].maker.table
                return RouteWriter(table, mode: options.mode, run: run, isAlone: false)
            }
            if let objects = route.objects, let work = works[number] {
                return ObjectRouteWriter(objects, work, options, run: run, isAlone: isAlone[number])
            }
            guard let table = route.table else { fatalError("internal error: a route of rows has no table") }
            if let foreign = route.foreign, case .inferred(let maker) = route.making {
                return ForeignRouteWriter(foreign, table, mode: options.mode, run: run) { maker.names }
            }
            let rows = RowRouteWriter(table, mode: options.mode, run: run, isAlone: isAlone[number])
            if let growing = route.growing, case .inferred(let maker) = route.making {
                rows.addColumns(to: growing, route.entity) { maker.names }
            }
            return rows
        }
        for writer in writers {
            writer.recorder = recorder
            writer.keepsSeenKeys = journal.entry.identity.feed != nil
        }
        related?.keepsSeenKeys = journal.entry.identity.feed != nil
    }

    // MARK: The whole run

    /// Imports everything; false if it was stopped before the end.
    func run() throws -> Bool {
        // Observers may be added during the import.
        for writer in writers { writer.keepsKeys = session == nil || feed != nil || !plan.derivations.isEmpty }
        if worksAhead {
            for writer in writers { writer.allowWorkAhead() }
        }
        defer {
            if session == nil, let recorder { try? plan.store.importing { try recorder.end(on: $0) } }
            // What follows writes the journal alone.
            recorder = nil
        }
        try beginLoads()
        for (route, writer) in zip(plan.routes, writers) where route.foreign != nil {
            if let session { try writer.check(on: session) } else { try plan.store.importing(writer.check) }
        }
        return try protectingLoads { try loadAndFinish() }
    }

    private func loadAndFinish() throws -> Bool {
        if journal.entry.phase == .load {
            guard try load() else {
                try recordState(.stopped)
                return false
            }
        }
        guard try finishRoutes() else {
            try recordState(.stopped)
            return false
        }
        return true
    }

    private func load() throws -> Bool {
        guard try endCompleteLoads() else { return false }
        try options.checkRejects(of: summary)
        if summary.read == 0, !options.isRetry {
            summary.beginMatching(zip(plan.routes, mappedPaths).map { ($0.entity.name, $1) })
        }
        comparer = makeComparer()
        defer {
            // The threads that prepare have ended their work, but may still hold it.
            comparer?.closeReaders()
            comparer = nil
        }
        var maker = plan.maker
        if relatedLoad != nil { (maker.keepsRecords, maker.keepsParts) = (true, true) }
        let feed = ChunkFeed(sources, maker, comparer, options, plan.memory, from: journal, watch)
        return try watch.follow(feed) { try writeAll(of: feed) }
    }

    /// Writes all chunks of a feed; false if the import was stopped.
    private func writeAll(of feed: ChunkFeed) throws -> Bool {
        do {
            if let comparer {
                guard try load(feed, comparer.gate) else { return false }
            } else {
                while let first = try feed.next() {
                    let isLast = try group(from: first, feed)
                    if watch.isStopped { return false }
                    if let load = relatedLoad, load.isUseless, !isLast, try !endRelatedLoad() { return false }
                    if isLast { break }
                }
            }
        } catch is CancellationError where watch.isStopped {
            return false
        }
        try commit { _ in
            journal.endReading(watch.reader, options)
            for (route, writer) in writers.enumerated() {
                noteTypesWithoutColumn(plan.routes[route])
                let (mixed, widened) = (writer.mixedColumns, writer.widenedColumns)
                guard !mixed.isEmpty || !widened.isEmpty else { continue }
                let entity = plan.routes[route].entity.name
                summary.add(InferenceReport(), of: entity)
                summary.inferred?[entity]?.mixed = mixed
                if !widened.isEmpty { summary.inferred?[entity]?.widened = widened }
            }
        }
        return true
    }

    /// Notes stated types and conversions of inferred columns of which there is none.
    private func noteTypesWithoutColumn(_ route: ImportPlan.ResolvedRoute) {
        guard case .inferred(let maker) = route.making, route.foreign == nil, !options.isRetry else { return }
        let known = Set(maker.names.map(\.lowercasedASCII))
        let converted = maker.inference.shaping?.rules?.filter { !$1.conversions.isEmpty }.map(\.key) ?? []
        let missing =
            Set(maker.inference.types.keys).subtracting(maker.names)
            .union(converted.filter { !known.contains($0.lowercasedASCII) }).sorted()
        if !missing.isEmpty { summary.unmatched = summary.unmatched ?? [:] }
        let noted = Set(summary.unmatched?[route.entity.name] ?? [])
        for name in missing.map(Excerpt.escape) where !noted.contains(name) {
            summary.unmatched?[route.entity.name, default: []].append(name)
        }
    }

    /// Whether other threads may look up and compare records, ahead of this thread and of triggers.
    private var worksAhead: Bool {
        session == nil && plan.store.allowsConcurrentReads && !plan.takesContext && !plan.hasTriggers
    }

    /// The comparer; nil if no route can be compared or evaluated ahead.
    private func makeComparer() -> ChunkComparer? {
        guard worksAhead else { return nil }
        let works = writers.map { $0.workAhead() }
        guard works.contains(where: { if case .none = $0 { false } else { true } }) else { return nil }
        return ChunkComparer(
            works, in: plan.store, plan.maker, plan.memory, mode: options.mode,
            keepsSeenKeys: plan.identity.feed != nil, jobs: options.threads)
    }

    // MARK: Transactions

    /// Calls `body` in a transaction of the one connection that writes.
    func locked(_ body: (Connection) throws -> Void) throws {
        func recorded(_ connection: Connection) throws {
            guard let recorder else { return try body(connection) }
            try recorder.record(on: connection) { try body(connection) }
        }
        if let held = session ?? heldConnection { return try held.transaction { try recorded(held) } }
        try plan.store.importing { connection in
            try connection.transaction { try recorded(connection) }
        }
    }

    /// Calls `body` in a transaction, and writes the journal at the end of it.
    func commit(_ body: (Connection) throws -> Void) throws {
        let earlier = journal
        (written, saves, resolved) = (WrittenKeys(), [], [])
        (seen, referred) = ([:], [:])
        watch.meter.enter(watch.phase.stage)
        defer { watch.meter.enter(nil) }
        do {
            try locked { connection in
                try body(connection)
                try derive(on: connection)
                try writeMarks(connection)
                watch.meter.enter(.committing)
                try writeJournal(connection)
            }
        } catch {
            // Rolled-back changes are not announced.
            _ = takeSaves()
            journal = earlier
            throw error
        }
        watch.summary = summary
        watch.meter.enter(.notifying)
        notify(of: saves + takeSaves())
    }

    /// What announces the saves of contexts since the last call.
    func takeSaves() -> [@Sendable () -> Void] { writers.compactMap { $0.takeSaves() } }

    private func writeJournal(_ connection: Connection) throws {
        journal.measure(earlierSeconds, since: started)
        try journal.commit(on: connection)
    }

    /// Announces committed changes.
    ///
    /// Observers may write, so they are not called on the thread that holds the connection that writes.
    private func notify(of saves: [@Sendable () -> Void]) {
        let parts =
            written.routes.map { route, keys in
                (plan.entity(ofWriter: route), keys.inserted, keys.updated)
            } + resolved.filter { !$0.keys.isEmpty }.map { ($0.entity, [], $0.keys) }
        written = WrittenKeys()
        resolved = []
        let (stores, publishes) = (plan.stores, publishes)
        guard session == nil, publishes || !parts.isEmpty || !saves.isEmpty, stores.hasListeners else { return }
        let body: @Sendable () -> Void = {
            if publishes { return stores.announceReload() }
            for announce in saves { announce() }
            stores.announce(parts)
        }
        if heldConnection == nil { body() } else { notificationQueue.async(execute: body) }
    }

    /// Writes the state of the run, whose changes are committed already.
    func recordState(_ state: JournalEntry.State, failure: String? = nil) throws {
        try commit { _ in
            journal.entry.state = state
            journal.entry.failure = failure
        }
    }

    // MARK: Counts

    /// Adds a reject to the counts, and under quarantine to the store.
    func recordReject(_ reject: Reject, route: Int?, on connection: Connection) throws {
        summary.counts.rejected += 1
        if options.onError == .quarantine { try connection.insert([row(of: reject, route: route)]) }
    }

    private func row(of reject: Reject, route: Int?) -> RejectedRecord {
        RejectedRecord(
            reject, run: journal.entry.run, route: route.map { plan.routes[$0].route },
            keyName: options.reading.keyName)
    }

    /// Adds the rejects of a chunk; records that were rejected before have rows already.
    func recordRejects(_ rejects: [PreparedChunk.RouteReject], of chunk: PreparedChunk, on connection: Connection)
        throws
    {
        let rejects = rejects.sorted { $0.reject.offset < $1.reject.offset }
        try mark(rejects, connection)
        guard let pendingRejects = options.pendingRejects else {
            return try rejects.forEach { try recordReject($0.reject, route: $0.route, on: connection) }
        }
        summary.counts.rejected += rejects.count
        let lines = try pendingRejects.dequeue(through: chunk.lastLine)
        try connection.resolve(lines, rejects.map(\.reject)) { row(of: $0, route: 0) }
    }

    /// Adds to the counts; rejected records are counted when they are recorded.
    func count(_ counts: RecordCounts) {
        let rejected = summary.counts.rejected
        summary.counts += counts
        summary.counts.rejected = rejected
    }

    func count(_ outcome: RouteOutcome, route: Int) {
        count(outcome.objects.counts)
        mark(plan.routes[route].entity, outcome.objects.seenKeys)
        guard let outcome = outcome.rows else { return }
        count(outcome.counts)
        mark(plan.routes[route].entity, outcome.seenKeys)
        mark(plan.routes[route].entity, outcome.insertedKeys)
        // Contexts reload when loads are published, so they need no list of keys.
        guard writers[route].keepsKeys, !publishes else { return }
        written.add(inserted: outcome.insertedKeys, updated: outcome.updatedKeys, route: route)
    }
}
