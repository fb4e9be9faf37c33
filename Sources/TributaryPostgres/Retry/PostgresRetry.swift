public import TributaryImport
import TributaryConcurrency
import TributaryStore
import TributaryJSON
public import TributaryModel

/// Imports rejected records again: from the database, or from a file of rejects that was edited.
///
///     let retry = PostgresRetry(into: address, from: .file(FileSource("bad.ndjson")))
///     let summary = try retry.perform()
///     print(summary.imported, summary.left)
public final class PostgresRetry: DatabaseRetry, @unchecked Sendable {
    // All properties are constant.

    private let address: PostgresAddress
    private let model: Model?
    private let watch = ImportWatch()

    /// A retry of the rejects of `source`; without a model columns are inferred, or are those of the tables.
    public init(
        into address: PostgresAddress, from source: RejectSource = .store, model: Model? = nil,
        options: RetryOptions = RetryOptions()
    ) {
        (self.address, self.model) = (address, model)
        super.init(of: source, options: options)
    }

    /// Stops after the current chunk; committed records stay.
    public override func cancel() {
        super.cancel()
        watch.stop()
    }

    /// Runs the retry on the calling thread.
    ///
    /// - Throws: `ImportError` if the journal lacks the table or key of the records, before anything is imported;
    ///   `JSONError`, `PostgresError`.
    @discardableResult
    public override func perform() throws -> RetrySummary {
        guard !options.isDryRun else {
            throw ImportError(
                .misuse, "a dry run is not for PostgreSQL", hint: "leave it out, or import into SQLite")
        }
        let connection = try PostgresConnection(address, role: "retry")
        defer { connection.close() }
        guard try JournalTables.exist(on: connection) else { throw JournalTables.missing(in: address) }
        let start = ContinuousClock.now
        let rejects = try TemporaryRejectsFile(source, in: connection, named: "\(address)")
        state.withLock { $0.summary = rejects.summary }
        func endTime() { state.withLock { $0.summary.seconds = (ContinuousClock.now - start) / Duration.seconds(1) } }
        defer { endTime() }
        let plans = try rejects.plans(model, [], options)
        for plan in plans { try PostgresPlan.checkMode([plan.route], plan.options, on: connection) }
        do {
            for plan in plans where !watch.isStopped { try perform(plan, rejects, connection) }
        } catch let error where error is CancellationError {
            guard watch.isStopped else { throw error }
        }
        if watch.isStopped { state.withLock { $0.summary.isStopped = true } }
        endTime()
        return summary
    }

    private func perform(_ retry: RetryPlan, _ rejects: TemporaryRejectsFile, _ connection: PostgresConnection) throws {
        let surveys: [ColumnSurvey?] =
            try model == nil
            ? ColumnSurvey.read([rejects.lines(of: retry.group)], retry.options.reading, [retry.route], limit: nil) {
                reader in
                watch.begin { reader.cancel() }
            } : []
        if watch.isStopped { throw CancellationError() }
        let plan = try connection.transaction {
            try JournalTables.takeLock(on: connection)
            let plan = try PostgresPlan(
                address, [retry.route], [rejects.lines(of: retry.group)], model: model, surveys: surveys, retry.options,
                isLoading: false, on: connection)
            try RunStart.makeTables(plan, run: retry.group.run, makesKeys: true, on: connection)
            return plan
        }
        let pending = PendingRejects()
        let writer = try RetryWriter(plan, run: retry.group.run, pending, connection)
        let feed = plan.rows.makeFeed(
            [rejects.lines(of: retry.group, pending)], retry.options, from: nil, expected: nil, limit: nil, watch: watch
        )
        watch.phase = .retrying
        try watch.follow(feed) {
            while !watch.isStopped, let chunk = try feed.next() {
                let counts = try writer.write(chunk)
                state.withLock { state in
                    state.summary.read += chunk.recordCount + chunk.unreadable
                    state.summary.counts += counts
                }
            }
            try writer.finish()
        }
    }
}
