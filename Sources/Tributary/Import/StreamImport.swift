import Foundation
import TributaryConcurrency
public import TributaryGraph
public import TributaryJSON
import TributarySQLite

/// Reads sources in one pass and feeds one or several entities from them.
///
///     let feed = StreamImport(
///         into: manager, from: [.file("dump.json.gz")],
///         routes: [
///             .rows("User", at: ".users[]"),
///             .objects(Book.self, at: ".books[]") { record, book in book.title = record["title"] },
///         ])
///     queue.addOperation(feed)
///
/// Each group of records is one transaction together with its line in the journal, so an import that was stopped goes on
/// where it was.
open class StreamImport: WorkOperation, @unchecked Sendable {
    // What changes is behind the lock of `watch`.

    /// The sources, in their order.
    public let sources: [any ByteSource]
    /// How it is done.
    public let options: ImportOptions
    private let routes: [ImportRoute]
    private let watch = ImportWatch()

    /// An import of `sources`; a route says which records become objects of which entity.
    public init(
        into manager: ContextManager, from sources: [any ByteSource], routes: [ImportRoute],
        options: ImportOptions = ImportOptions()
    ) {
        self.sources = sources
        self.routes = routes
        self.options = options
        super.init(manager)
    }

    // MARK: Watching

    /// The books, as far as they are committed.
    public var summary: ImportSummary { watch.summary }
    /// What is being done: `reading`, `building indexes` and so on.
    public var phase: String { watch.phase.rawValue }
    /// Bytes taken from the sources so far, as they are stored.
    public var storedBytes: Int { watch.reader?.report.storedBytes ?? 0 }
    /// What the sources were found to be.
    public var sourceReports: [SourceReport] { watch.reader?.report.sources ?? [] }

    /// What it has done until now, and where its time went.
    package final var measures: ImportMeasures { watch.meter.measures }

    /// Stops behind the chunk at hand; what is committed stays.
    open override func cancel() {
        super.cancel()
        watch.stop()
    }

    // MARK: Running

    /// How it has ended; nil before, and after an error.
    public var outcome: ImportOutcome? { ended.withLock { $0 } }
    private let ended = Guarded<ImportOutcome?>(nil)

    /// Does it all, on the thread of the queue.
    open override func work() throws {
        if case .stopped = try perform(), !isCancelled { cancel() }
    }

    /// Does it all on the calling thread.
    ///
    /// - Throws: `ImportError`, `JSONError`, `SQLiteError`, and what the journal and the file of rejects say; what was
    ///   committed before stays, and the import can go on from there.
    public func perform() throws -> ImportOutcome {
        let plan = try ImportPlan(manager.stores, routes: routes, sources: sources, options: options)
        // A dry run leaves nothing behind, a file of rejects that no journal knows of least of all.
        let rejects =
            options.isDryRun
            ? nil : try options.rejects.map { try RejectsFile(path: $0, refusing: refusedFiles()) }
        // Whoever goes on may begin before the last thread has let go of it.
        defer { rejects?.unlock() }
        var outcome: ImportOutcome?
        if options.isDryRun {
            try plan.store.importing { connection in
                try connection.execute("BEGIN IMMEDIATE")
                defer { try? connection.execute("ROLLBACK") }
                outcome = try perform(plan, rejects, connection)
            }
            plan.store.forgetStatements()
        } else {
            outcome = try perform(plan, rejects, nil)
        }
        guard let outcome else { fatalError("an import that does not throw has an outcome") }
        watch.summary = outcome.summary
        ended.withLock { $0 = outcome }
        return outcome
    }

    private func perform(
        _ plan: ImportPlan, _ rejects: RejectsFile?, _ session: Connection?
    ) throws -> ImportOutcome {
        var start: Journal.Start?
        var number: Int?
        defer { if let number { plan.store.end(run: number) } }
        func begin(_ connection: Connection) throws {
            start = try Journal.begin(
                plan.identity, sources: sources, resuming: options.resuming, rejects: options.rejects,
                living: plan.store.livingRuns, on: connection)
            switch start {
            case .fresh(var journal, let abandoned):
                if let abandoned { try AsideTable.forget(run: abandoned.run, on: connection) }
                if let rejects, !options.replacesRejects {
                    try journal.takeOver(rejects, from: abandoned, on: connection)
                    start = .fresh(journal, abandoned: abandoned)
                }
            case .resumed(let journal):
                if journal.ownRejects == nil {
                    try rejects?.demandNothing(but: nil)
                } else {
                    try rejects?.demandNothing(behind: journal.entry)
                }
            case .finished, nil: break
            }
            number = start?.run
            if let number { plan.store.begin(run: number) }
        }
        if let session {
            try begin(session)
        } else {
            // Rejects must not be on the disk while the run that owns them may still be lost.
            if rejects != nil {
                try plan.store.durably(begin)
            } else {
                try plan.store.importing { connection in try connection.transaction { try begin(connection) } }
            }
        }
        let journal: Journal
        switch start {
        case .finished(let entry): return .alreadyFinished(entry.summary)
        case .fresh(let new, _):
            journal = new
            try rejects?.restart()
        case .resumed(let earlier):
            journal = earlier
            try rejects?.cut(to: earlier.entry.rejects?.length ?? 0, hash: earlier.entry.rejects?.hash)
        case nil: fatalError("the journal says what is to be done")
        }
        let run = ImportRun(
            plan, sources: sources, options: options, watch: watch, journal: journal, rejects: rejects,
            makeContext: { [manager] in manager.newContext(name: "import", mergesSaves: false) })
        run.session = session
        watch.summary = run.books
        do {
            return try plan.store.withImportSettings(cacheKiB: plan.memory.cacheKiB, session) {
                try run.run() ? .finished(run.books) : .stopped(run.books)
            }
        } catch {
            // The first error counts; the journal may be out of reach for the same reason.
            if session == nil { try? run.recordState(.failed, failure: "\(error)") }
            throw error
        }
    }

    private func refusedFiles() -> [RejectsFile.Refused] {
        sources.compactMap { source in
            (source as? FileSource).map { RejectsFile.Refused("the source \($0.name)", FileIdentity($0)) }
        } + manager.stores.stores.flatMap { RejectsFile.Refused.database($0.name) }
    }
}
