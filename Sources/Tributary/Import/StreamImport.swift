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
    /// Which rejects the records are, if rejected records are imported again.
    private let ledger: RetryLedger?
    private let watch = ImportWatch()

    /// An import of `sources`; a route says which records become objects of which entity.
    public init(
        into manager: ContextManager, from sources: [any ByteSource], routes: [ImportRoute],
        options: ImportOptions = ImportOptions()
    ) {
        (self.sources, self.routes, self.options) = (sources, routes, options)
        ledger = nil
        super.init(manager)
    }

    /// An import of records that were rejected before.
    init(
        into manager: ContextManager, from sources: [any ByteSource], routes: [ImportRoute], options: ImportOptions,
        retrying ledger: RetryLedger?
    ) {
        (self.sources, self.routes, self.options) = (sources, routes, options)
        self.ledger = ledger
        super.init(manager)
    }

    // MARK: Watching

    /// The books, as far as they are committed.
    public var summary: ImportSummary { watch.summary }
    /// What it is doing.
    public var phase: ImportPhase { watch.phase }
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
    /// - Throws: `ImportError`, `JSONError`, `SQLiteError`, `StoreError`; what was committed before stays, and the import can be
    ///   resumed from there.
    public func perform() throws -> ImportOutcome {
        let plan = try ImportPlan(
            manager.stores, routes: routes, sources: sources, options: options, isRetry: ledger != nil)
        let rejects = try options.rejects.map { path in
            // A connection that reads cannot undo what a writer without room has left.
            try plan.store.importing { try RejectsFile(path: path, besides: takenFiles(plan.store), on: $0) }
        }
        var outcome: ImportOutcome?
        if options.isDryRun {
            try plan.store.importing { connection in
                try connection.undoing { outcome = try perform(plan, rejects, connection) }
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

    private func perform(_ plan: ImportPlan, _ rejects: RejectsFile?, _ session: Connection?) throws -> ImportOutcome {
        var begun: Journal.Start?
        var number: Int?
        defer { if let number { plan.store.end(run: number) } }
        func begin(_ connection: Connection) throws {
            let start = try Journal.begin(
                plan.identity, sources: sources, resuming: options.resuming, running: plan.store.livingRuns,
                on: connection)
            if case .fresh(_, let earlier?) = start {
                try PossibleDuplicatesTable.forget(run: earlier.run, on: connection)
                // This run reads the same, and rejects it again.
                if try earlier.isOf(sources) { try RejectTable.delete(run: earlier.run, on: connection) }
            }
            begun = start
            number = start.run
            if let number { plan.store.begin(run: number) }
        }
        if let session {
            try begin(session)
        } else {
            try plan.store.importing { connection in try connection.transaction { try begin(connection) } }
        }
        let journal: Journal
        switch begun {
        case .finished(let entry):
            try write(rejects, of: entry.run, plan, session)
            return .alreadyFinished(entry.summary)
        case .fresh(let started, _): journal = started
        case .resumed(let earlier): journal = earlier
        case nil: fatalError("the journal says what is to be done")
        }
        let run = ImportRun(
            plan, sources: sources, options: options, watch: watch, journal: journal, ledger: ledger,
            makeContext: { [manager] in manager.newContext(name: "import", mergesSaves: false) })
        run.session = session
        watch.summary = run.books
        let result = Result {
            try plan.store.withImportSettings(cacheKiB: plan.memory.cacheKiB, session) {
                try run.run() ? ImportOutcome.finished(run.books) : .stopped(run.books)
            }
        }
        // The first error counts; the journal may be out of reach for the same reason.
        if case .failure(let error) = result, session == nil { try? run.recordState(.failed, failure: "\(error)") }
        let written = Result { try write(rejects, of: journal.entry.run, plan, session) }
        let outcome = try result.get()
        try written.get()
        return outcome
    }

    private func write(_ rejects: RejectsFile?, of run: Int, _ plan: ImportPlan, _ session: Connection?) throws {
        guard let rejects else { return }
        if let session { return try rejects.write(run: run, on: session) }
        try plan.store.importing { try rejects.write(run: run, on: $0) }
    }

    /// The files that a file of rejects must not be.
    private func takenFiles(_ store: SQLiteStore) -> [(name: String, path: String)] {
        sources.compactMap { source in (source as? FileSource).map { ("the source \($0.name)", $0.path) } }
            + FilePlace.database(store.name)
    }
}
