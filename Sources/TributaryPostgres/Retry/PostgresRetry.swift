public import Tributary
import TributaryConcurrency
import TributaryStore
import TributaryJSON
public import TributaryModel

/// Imports rejected records again: from the database, or from a file of rejects that was edited.
///
///     let retry = PostgresRetry(into: address, from: .file(FileSource("bad.ndjson")))
///     let summary = try retry.perform()
///     print(summary.imported, summary.left)
///
/// The journal has the table, the key and the mode of a rejected record. Its reject is deleted in the transaction that
/// imports it, so a retry can be repeated without importing a record twice. A record that is rejected again keeps its
/// row, with the new reason.
public final class PostgresRetry: Sendable {
    private let address: PostgresAddress
    private let source: RejectSource
    private let model: Model?
    private let options: RetryOptions
    private let watch = ImportWatch()
    private let state = Guarded(RetrySummary())

    /// A retry of the rejects of `source`; without a model columns are inferred, or are those of the tables.
    public init(
        into address: PostgresAddress, from source: RejectSource = .store, model: Model? = nil,
        options: RetryOptions = RetryOptions()
    ) {
        (self.address, self.source, self.model, self.options) = (address, source, model, options)
    }

    /// The results so far.
    public var summary: RetrySummary { state.withLock { $0 } }

    /// Stops after the current chunk; committed records stay.
    public func cancel() { watch.stop() }

    /// Runs the retry on the calling thread.
    ///
    /// - Throws: `ImportError` if the journal lacks the table or key of the records, before anything is imported;
    ///   `JSONError`, `PostgresError`.
    @discardableResult
    public func perform() throws -> RetrySummary {
        guard !options.isDryRun else {
            throw ImportError(
                .misuse, "a dry run is not for PostgreSQL", hint: "leave it out, or import into SQLite")
        }
        let connection = try PostgresConnection(address, role: "retry")
        defer { connection.close() }
        guard try JournalTables.exist(on: connection) else { throw JournalTables.missing(in: address) }
        let start = ContinuousClock.now
        let kept = KeptRejects(
            page: { id, run in try RejectRows.page(after: id, run: run, on: connection) },
            row: { id in try RejectRows.row(id, on: connection) })
        let entries = try RunJournal.runs(on: connection).map(\.entry)
        let rejects = try TemporaryRejectsFile(source, entries, kept)
        state.withLock { $0 = rejects.summary }
        defer { state.withLock { $0.seconds = (ContinuousClock.now - start) / Duration.seconds(1) } }
        let plans = try rejects.groups.map { try RetryPlan($0, entries, model, [], options) }
        for plan in plans { try PostgresPlan.checkMode([plan.route], plan.options, on: connection) }
        do {
            for plan in plans where !watch.isStopped {
                try perform(plan, RetryFeed(rejects, plan.group, name: source.name(in: "\(address)")), connection)
            }
        } catch let error where error is CancellationError {
            guard watch.isStopped else { throw error }
        }
        if watch.isStopped { state.withLock { $0.isStopped = true } }
        return summary
    }

    /// The rejects of a group, each time they are read.
    private struct RetryFeed {
        let rejects: TemporaryRejectsFile
        let group: RetryGroup
        let name: String

        init(_ rejects: TemporaryRejectsFile, _ group: RetryGroup, name: String) {
            (self.rejects, self.group, self.name) = (rejects, group, group.file ?? name)
        }

        func lines(_ pending: PendingRejects = PendingRejects()) -> RetryLines {
            RetryLines(name: name, rejects: rejects, group: group, pendingRejects: pending)
        }
    }

    private func perform(_ retry: RetryPlan, _ source: RetryFeed, _ connection: PostgresConnection) throws {
        let surveys: [ColumnSurvey?] =
            try model == nil
            ? ColumnSurvey.read([source.lines()], retry.options.reading, [retry.route], limit: nil) { reader in
                watch.begin { reader.cancel() }
            } : []
        if watch.isStopped { throw CancellationError() }
        let plan = try connection.transaction {
            try JournalTables.takeLock(on: connection)
            let plan = try PostgresPlan(
                address, [retry.route], [source.lines()], model: model, surveys: surveys, retry.options,
                isLoading: false, on: connection)
            try plan.checkTables(loading: RunJournal.loading(on: connection).mapValues(\.run))
            try RunStart.checkWriters(plan, on: connection)
            for change in plan.changes { try connection.execute(change) }
            if let related = plan.rows.related {
                try PostgresRelatedWriter(related, model: plan.model, mode: retry.options.mode, run: retry.group.run)
                    .makeTables(on: connection)
            }
            for (target, isNew) in zip(plan.targets, plan.isNew) where isNew && !target.key.isEmpty {
                try connection.execute(TableMaking.key(target))
            }
            return plan
        }
        let pending = PendingRejects()
        let writer = try RetryWriter(plan, run: retry.group.run, pending, connection)
        var rows = plan.rows
        rows.keepLines()
        let feed = rows.makeFeed(
            [source.lines(pending)], retry.options, from: nil, expected: nil, limit: nil, watch: watch)
        watch.phase = .retrying
        try watch.follow(feed) {
            while !watch.isStopped, let chunk = try feed.next() {
                let counts = try writer.write(chunk)
                state.withLock { summary in
                    summary.read += chunk.recordCount + chunk.unreadable
                    summary.counts += counts
                }
            }
            try writer.finish()
        }
    }
}
