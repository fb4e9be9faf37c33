import Foundation
import TributaryImport
import TributaryStore
import TributaryJSON

/// The decision whether an import is new, resumes, or is done.
struct RunStart {
    /// The way in which an import begins.
    enum Beginning {
        /// An earlier run finished it, and its sources are unchanged.
        case finished(JournalEntry)
        case work(RunWork)
    }

    private let task: PostgresImport
    private let control: PostgresConnection
    private var options: ImportOptions { task.options }

    init(_ task: PostgresImport, _ control: PostgresConnection) { (self.task, self.control) = (task, control) }

    /// Begins or continues the run.
    func begin() throws -> Beginning {
        try PostgresPlan.checkMode(task.routes, options, on: control)
        // Without a model the identity is known before the dump is read to infer columns.
        if task.model == nil {
            let identity = ImportIdentity(task.routes, task.sources, options)
            if let done = try finished(identity, task.sources) { return .finished(done) }
        }
        let surveys = try task.model == nil ? surveys() : []
        let first = try plan(task.sources, surveys, isLoading: false)
        if task.model != nil, let done = try finished(first.rows.identity, task.sources) { return .finished(done) }
        let known = try knownSources(first)
        task.knownSources = known?.names ?? []
        if let known, known.unread.isEmpty, let latest = known.latest { return .finished(latest) }
        let sources = known?.unread ?? task.sources
        // The borders of ranges are found, and indexes are made, before the lock is taken: others wait for it.
        let latest = try RunJournal.latest(first.rows.identity.hash, on: control)
        let isUnfinished = latest?.entry.state.isUnfinished ?? false
        let division = task.settings.joins && !isUnfinished ? try Division(sources, first, task.settings) : nil
        if let latest, isUnfinished, options.resuming == .restart,
            try RunJournal.owners(of: latest.run, on: control).isEmpty
        {
            try RunEnd.makeIndexes(of: latest, on: control)
        }
        return try control.transaction {
            try JournalTables.takeLock(on: control)
            return try decide(sources, surveys, known?.grown, division)
        }
    }

    private func plan(
        _ sources: [any ByteSource], _ surveys: [ColumnSurvey?], isLoading: Bool
    ) throws -> PostgresPlan {
        try PostgresPlan(
            task.address, task.routes, sources, model: task.model, surveys: surveys, options, isLoading: isLoading,
            on: control)
    }

    /// What the sources hold for each route; nil if they cannot be read twice.
    private func surveys() throws -> [ColumnSurvey?] {
        if let profile = task.profile { return try task.routes.map { try ColumnSurvey(profile, $0) } }
        guard task.sources.allSatisfy(\.canBeReadTwice) else {
            return task.routes.map { _ in nil }
        }
        task.watch.phase = .reading
        return try ColumnSurvey.read(task.sources, options.reading, task.routes, limit: options.limit) { reader in
            task.watch.begin { reader.cancel() }
        }
    }

    /// The finished run of an import whose sources are unchanged; nil if there is work to do.
    private func finished(_ identity: ImportIdentity, _ sources: [any ByteSource]) throws -> JournalEntry? {
        guard let latest = try control.latestRun(of: identity.hash), try latest.isDone(sources, options.resuming)
        else { return nil }
        return latest
    }

    /// What is known of the sources of an import without a key; nil for others.
    private func knownSources(_ plan: PostgresPlan) throws -> KnownSources? {
        let keyless = Set(plan.rows.routes.filter { $0.table.key.isEmpty }.map(\.entity.name))
        guard options.resuming.recognizesSources, !keyless.isEmpty else { return nil }
        let related = try KnownSources.entries(
            related: plan.rows.identity, keyless: keyless,
            among: RunJournal.runs(on: control).map { try progress($0, keyless) }
        ) { entity in
            guard let table = try PostgresTable(entity, on: control) else { return true }
            return try control.execute("SELECT FROM \(table.reference) LIMIT 1").rowCount == 0
        }
        return try KnownSources(
            task.sources, plan.rows.identity, options, related: related, canTruncate: false)
    }

    /// The entry of a run, with the position that it has reached if it is unfinished and fills one of some tables.
    private func progress(_ run: StoredRun, _ tables: Set<String>) throws -> JournalEntry {
        guard run.entry.state.isUnfinished, run.entry.routes.contains(where: { tables.contains($0.entity) }) else {
            return run.entry
        }
        var entry = try RunJournal.lastEntry(of: run, on: control)
        (entry.state, entry.summary) = (run.entry.state, run.entry.summary)
        return entry
    }

    // MARK: Under the lock

    private func decide(
        _ sources: [any ByteSource], _ surveys: [ColumnSurvey?], _ grown: KnownSources.Grown?, _ division: Division?
    ) throws -> Beginning {
        var plan = try plan(sources, surveys, isLoading: false)
        let identity = plan.rows.identity
        let latest = try RunJournal.latest(identity.hash, on: control)
        if let latest, options.resuming != .never {
            if let done = try finished(identity, sources) { return .finished(done) }
            if latest.entry.state.isUnfinished {
                let owners = try RunJournal.owners(of: latest.run, on: control)
                guard owners.isEmpty || task.settings.joins && options.resuming != .restart else {
                    let hint =
                        options.resuming == .restart
                        ? "restart it when the others have ended, on one machine; they can join again then"
                        : latest.isShared
                            ? "let this process share its work with joins (--join), or wait"
                            : "wait until it has ended; to share its work, stop it, and run it with joins (--join)"
                    throw ImportError(
                        .running, "this import is already running, as run \(latest.run) (\(owners.shortList))",
                        hint: hint)
                }
                if options.resuming != .restart {
                    if latest.loads { plan = try self.plan(sources, surveys, isLoading: true) }
                    guard plan.changes.isEmpty else {
                        throw ImportError(
                            .journal,
                            """
                            run \(latest.run) is not finished, and \(plan.rows.routes.map(\.entity.name).shortList) is gone, or \
                            the dump needs other columns or types than when it began
                            """,
                            remedy: .restart)
                    }
                    return .work(try resume(latest, plan, sources))
                }
                try abandon(latest)
                plan = try self.plan(sources, surveys, isLoading: false)
            }
        }
        try RunStart.makeTables(plan, makesKeys: !plan.canLoad, on: control)
        let run = try makeRun(plan, sources, grown, division)
        return .work(RunWork(task, plan, run, sources, control))
    }

    /// Makes and changes the tables of an import, unless another one forbids it.
    static func makeTables(_ plan: PostgresPlan, makesKeys: Bool, on control: PostgresConnection) throws {
        try plan.checkTables(loading: RunJournal.loading(on: control).mapValues(\.run))
        try checkWriters(plan, on: control)
        for change in plan.changes { try control.execute(change) }
        if let related = plan.rows.related {
            try PostgresRelatedWriter.makeTables(related, plan.model, on: control)
        }
        for (target, isNew) in zip(plan.targets, plan.isNew) where makesKeys && isNew && !target.key.isEmpty {
            try control.execute(target.keyCreation)
        }
    }

    /// Throws if a running import writes a table that is about to change: its rows have the form of the old columns.
    private static func checkWriters(_ plan: PostgresPlan, on control: PostgresConnection) throws {
        guard !plan.changes.isEmpty else { return }
        let names = Set(plan.rows.routes.map(\.entity.name))
        for other in try RunJournal.unfinished(on: control) {
            guard let name = other.entry.identity.routes.map(\.entity).first(where: names.contains) else { continue }
            let owners = try RunJournal.owners(of: other.run, on: control)
            guard owners.isEmpty else {
                throw ImportError(
                    .running, "run \(other.run) (\(owners.shortList)) writes \(name), whose columns would change",
                    remedy: .wait)
            }
        }
    }

    private func resume(_ latest: StoredRun, _ plan: PostgresPlan, _ sources: [any ByteSource]) throws -> RunWork {
        var run = latest
        (run.entry.state, run.entry.failure) = (.running, nil)
        try RunJournal.write(run, on: control)
        return RunWork(task, plan, run, sources, control)
    }

    /// Ends a run whose import starts over; the table that it has filled gets the index of its key.
    private func abandon(_ latest: StoredRun) throws {
        var run = latest
        try RunEnd.makeIndexes(of: run, on: control)
        run.entry.summary = try RunJournal.summary(of: run, on: control)
        (run.entry.state, run.phase, run.indexes) = (.abandoned, .done, [:])
        try RunJournal.write(run, on: control)
        try RunJournal.clear(run.run, on: control)
        try control.deleteRejects(run: run.run)
    }

    private func makeRun(
        _ plan: PostgresPlan, _ sources: [any ByteSource], _ grown: KnownSources.Grown?, _ division: Division?
    ) throws -> StoredRun {
        if options.onError == .quarantine {
            try control.deleteRejects(ofEarlier: plan.rows.identity, sources)
        }
        let prints = try sources.map { try SourceFingerprint(of: $0) }
        var indexes: [String: [String]] = [:]
        if plan.canLoad {
            for target in plan.targets { indexes[target.name] = target.key.map { target.columns[$0].name } }
        }
        var run = try RunJournal.insert(
            plan.rows.identity, prints, indexes: indexes, isShared: division?.ranges.isEmpty == false,
            on: control)
        run.entry.summary.beginMatching(plan.rows.routes.map { ($0.entity.name, $0.paths) })
        for (entity, names) in plan.renamedColumns {
            run.entry.summary.add(InferenceReport(renamed: names), of: entity)
        }
        if let grown {
            var journal = Journal(run.entry)
            journal.resume(at: grown.checkpoint, grown.fingerprint)
            run.entry = journal.entry
        }
        try RunJournal.write(run, on: control)
        if let division, run.isShared {
            for range in division.ranges {
                try RunJournal.insert(range: range.number, range, of: run, step: .keys, on: control)
            }
        } else {
            try RunJournal.insert(
                range: 0, nil, of: run, step: .load, on: control)
        }
        return run
    }
}
