import Foundation
import TributaryConcurrency
public import TributaryStore
package import TributaryJSON
import TributarySQLite

/// An import into a database of SQLite; ``StreamImport`` is one with the objects of a manager.
///
/// Each group of records is one transaction together with its row in the journal, so a stopped import resumes after
/// its last commit.
open class StoreImport: DatabaseImport, @unchecked Sendable {
    // Mutable state is protected by the lock of `sampled`.

    private let routes: [ImportRoute]
    /// Returns the objects as their stores and classes are now.
    private let objects: @Sendable () -> any ImportObjects

    /// An import of `sources`.
    package init(
        from sources: [any ByteSource], routes: [ImportRoute], options: ImportOptions,
        objects: @escaping @Sendable () -> any ImportObjects
    ) {
        (self.routes, self.objects) = (routes, objects)
        super.init(of: sources, options: options)
    }

    /// An import of `sources` whose records become rows of `database`.
    package convenience init(
        into database: RowDatabase, from sources: [any ByteSource], routes: [ImportRoute], options: ImportOptions
    ) {
        self.init(from: sources, routes: routes, options: options) { NoObjects(stores: database) }
    }

    // MARK: Watching

    /// A sample of what a dry run would change and delete; empty before its end, and for other imports.
    public var sample: [RowChange] { sampled.withLock { $0 } }
    private let sampled = Guarded<[RowChange]>([])

    /// The measured work so far, and the time of its stages.
    package final var measures: ImportMeasures { watch.meter.measures }

    // MARK: Running

    /// Runs the import on the calling thread.
    ///
    /// - Throws: `ImportError`, `JSONError`, `SQLiteError`, `StoreError`; committed records stay, and the import can be
    ///   resumed.
    public final override func perform() throws -> ImportOutcome {
        var plan = try makePlan(sources)
        try check(plan)
        var known: KnownSources?
        if options.resuming.recognizesSources, !options.truncates, !options.isRetry, !plan.keylessEntities.isEmpty {
            let related = try plan.store.importing { [plan] connection in
                try KnownSources.entries(
                    related: plan.identity, keyless: plan.keylessEntities, among: connection.runs()
                ) { try plan.isEmpty($0, on: connection) }
            }
            let found = try KnownSources(
                sources, plan.identity, options, related: related, canTruncate: plan.canDeleteRows)
            knownSources = found.names
            known = found
            if found.unread.count < sources.count || found.grown != nil { plan = try makePlan(found.unread) }
        }
        let taken = FilePath.sources(sources) + FilePath.database(plan.store.name)
        let changes = try options.changes.map { path in
            try ChangesFile(path: path, besides: taken + (options.rejects.map { [("the file of rejects", $0)] } ?? []))
        }
        let rejects = try options.rejects.map { path in
            // Only a connection that writes can roll back a transaction that was left unfinished on a full disk.
            try plan.store.importing { try RejectsFile(path: path, besides: taken, of: sources, in: $0) }
        }
        let job = Job(
            plan: plan, sources: known?.unread ?? sources, known: known, rejects: rejects, changes: changes)
        let outcome: ImportOutcome
        if options.isDryRun {
            outcome = try plan.store.importing { connection in
                let outcome = try connection.rollingBack {
                    if options.truncates { try plan.deleteRows(on: connection) }
                    let outcome = try perform(job, connection)
                    try checkRows(after: outcome, plan, on: connection)
                    return outcome
                }
                let found = try sampled.withLock { $0 }.filter { try plan.hasRow($0, on: connection) }
                sampled.withLock { $0 = found }
                return outcome
            }
            plan.store.forgetStatements()
        } else if options.truncates {
            outcome = try replaceRows(job)
        } else {
            outcome = try perform(job, nil)
        }
        if !options.isDryRun {
            if options.leastRows != nil { try plan.store.importing { try checkRows(after: outcome, plan, on: $0) } }
            if case .stopped = outcome {} else { try plan.store.publish() }
        }
        watch.summary = outcome.summary
        self.outcome = outcome
        return outcome
    }

    private func checkRows(after outcome: ImportOutcome, _ plan: ImportPlan, on connection: Connection) throws {
        guard let least = options.leastRows, case .finished = outcome else { return }
        try plan.checkRows(atLeast: least, on: connection)
    }

    /// An import with the sources that it reads, and the files that it writes at its end.
    private struct Job {
        let plan: ImportPlan
        let sources: [any ByteSource]
        /// What is known of its sources, if it has no key.
        let known: KnownSources?
        let rejects: RejectsFile?
        let changes: ChangesFile?

        /// The run that has imported all sources before.
        var earlier: JournalEntry? { known.flatMap { $0.unread.isEmpty ? $0.latest : nil } }
    }

    private func makePlan(_ sources: [any ByteSource]) throws -> ImportPlan {
        try ImportPlan(objects(), routes: routes, sources: sources, options: options)
    }

    /// Throws what refuses the import before it reads a record; it can be asked of an empty store with the same model.
    package func check() throws { try check(makePlan(sources)) }

    private func check(_ plan: ImportPlan) throws {
        guard !options.isUndoable || !options.truncates else {
            throw ImportError(
                .misuse, "an import that empties its tables first cannot be undone", hint: "set one of the two")
        }
        guard options.changes == nil || options.isUndoable else {
            throw ImportError(
                .misuse, "a file of changes is named, but the run keeps none", hint: "set isUndoable")
        }
        if options.truncates { try plan.checkTruncation() }
    }

    /// Empties the tables and imports, in one transaction.
    private func replaceRows(_ job: Job) throws -> ImportOutcome {
        /// The transaction is rolled back, since the import was stopped.
        struct Stopped: Error { let summary: ImportSummary }
        let store = job.plan.store
        do {
            let outcome = try store.importing { connection in
                try connection.transaction {
                    try job.plan.deleteRows(on: connection)
                    let outcome = try perform(job, connection)
                    if case .stopped(let summary) = outcome { throw Stopped(summary: summary) }
                    return outcome
                }
            }
            job.plan.stores.announceReload()
            return outcome
        } catch {
            store.forgetStatements()
            guard let stopped = error as? Stopped else { throw error }
            return .stopped(stopped.summary)
        }
    }

    private func perform(_ job: Job, _ session: Connection?) throws -> ImportOutcome {
        let (plan, sources) = (job.plan, job.sources)
        // Before the transaction, since other programs wait for its end.
        let prints = try job.known?.prints ?? sources.map { try SourceFingerprint(of: $0) }
        var number: Int?
        defer { if let number { plan.store.end(run: number) } }
        func begin(_ connection: Connection) throws -> Journal.Start {
            if session == nil {
                // A process may have ended between publishing and deleting the files.
                try LoadFiles.remove(besides: plan.store.name, on: connection) { !$0.isPending }
            }
            if let earlier = job.earlier { return .finished(earlier) }
            // The tables may have lost the rows of a finished import, which is then not repeated in vain.
            var known = job.known == nil ? options.resuming : .again
            // New lines of a source are a run of their own, beside an unfinished one that has imported nothing.
            if options.resuming == .restart || job.known?.grown != nil { known = .restart }
            // Records with keys are compared with their rows, so a dry run of them is always a whole run.
            let isKeyless = !plan.keylessEntities.isEmpty
            let isNew = options.truncates || options.isDryRun && (!isKeyless || options.isRetry)
            let start = try Journal.begin(
                plan.identity, sources: sources, prints: prints, resuming: isNew ? .never : known,
                running: plan.store.activeRuns, isKeyless: isKeyless, on: connection)
            if case .fresh(_, let earlier?) = start {
                try PossibleDuplicatesTable.deleteRows(run: earlier.run, on: connection)
                if session == nil {
                    try LoadFiles.remove(besides: plan.store.name, on: connection) { $0.run == earlier.run }
                }
            }
            number = start.run
            if options.onError == .quarantine, case .fresh(let journal, _?) = start {
                try connection.deleteRejects(ofEarlier: plan.identity, before: journal.entry.run, sources)
            }
            if let number { plan.store.begin(run: number) }
            return start
        }
        let start: Journal.Start
        if let session {
            start = try begin(session)
        } else {
            start = try plan.store.importing { connection in try connection.transaction { try begin(connection) } }
        }
        let journal: Journal
        switch start {
        case .finished(let entry):
            try write(job.rejects, of: entry.run, plan, session)
            // A process may have ended between its last commit and its files.
            if session == nil, entry.keepsChanges ?? false { try write(job.changes, of: entry.run, plan) }
            return .alreadyFinished(entry.summary)
        case .fresh(var started, _):
            started.entry.truncates = options.truncates ? true : nil
            started.entry.keepsChanges = options.isUndoable ? true : nil
            if let grown = job.known?.grown { started.resume(at: grown.checkpoint, grown.fingerprint) }
            journal = started
        case .resumed(let earlier):
            guard earlier.entry.keepsChanges ?? false || !options.isUndoable else {
                throw ImportError(
                    .misuse, "run \(earlier.entry.run) has not kept all of its changes, so it cannot be undone",
                    hint: "repeat it without --undoable (isUndoable), or start over with --restart (resuming)")
            }
            journal = earlier
        }
        let run = ImportRun(plan, sources: sources, options: options, watch: watch, journal: journal)
        run.session = session
        watch.summary = run.summary
        let result = Result {
            try plan.store.withImportSettings(cacheKiB: plan.memory.cacheKiB, session) {
                try run.run() ? ImportOutcome.finished(run.summary) : .stopped(run.summary)
            }
        }
        if session == nil { try? run.removeUselessLoads() }
        // The first error is thrown: writing the journal may fail for the same reason.
        if case .failure(let error) = result, session == nil {
            // A hint would name the API of the library to readers of the command.
            try? run.recordState(.failed, failure: (error as? ImportError)?.reason ?? "\(error)")
        }
        // The import begins again.
        if case .failure(let difference as RelationSurvey.Difference) = result { throw difference }
        let written = Result {
            try write(job.rejects, of: journal.entry.run, plan, session)
            guard case .success(.finished) = result else { return }
            if let session, options.isDryRun {
                let found = try run.sample(on: session)
                sampled.withLock { $0 = found }
            } else {
                try write(job.changes, of: journal.entry.run, plan)
            }
        }
        let outcome = try result.get()
        try written.get()
        return outcome
    }

    private func write(_ rejects: RejectsFile?, of run: Int, _ plan: ImportPlan, _ session: Connection?) throws {
        guard let rejects else { return }
        if let session { return try rejects.export(run: run, from: session) }
        try plan.store.importing { connection in
            // After a power cut the file must not hold rejects that the store has lost: a checkpoint syncs the log.
            connection.checkpoint()
            try rejects.export(run: run, from: connection)
        }
    }

    private func write(_ changes: ChangesFile?, of run: Int, _ plan: ImportPlan) throws {
        guard let changes else { return }
        try plan.store.importing { try changes.export(run: run, keys: plan.keyColumns, on: $0) }
    }
}
