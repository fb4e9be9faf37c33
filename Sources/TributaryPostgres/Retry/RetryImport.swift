import TributaryImport
import TributaryStore
import TributaryJSON
import TributaryModel

/// Imports rejected records of one group, each chunk in one transaction with the changes of its rejects.
final class RetryImport: DatabaseImport, @unchecked Sendable {
    // All properties are constant.

    private let retry: RetryPlan
    private let model: Model?
    private let address: PostgresAddress
    /// The number of attempts to write a chunk.
    private static let attempts = 6

    /// An import of a group into the database at an address.
    init(_ retry: RetryPlan, _ model: Model?, into address: PostgresAddress) throws {
        (self.retry, self.model, self.address) = (retry, model, address)
        super.init(of: [retry.lines], options: retry.options)
        let connection = try PostgresConnection(address, role: "retry")
        defer { connection.close() }
        try PostgresPlan.checkMode([retry.route], options, on: connection)
    }

    /// Runs the import on the calling thread.
    override func perform() throws -> ImportOutcome {
        let start = ContinuousClock.now
        let connection = try PostgresConnection(address, role: "retry")
        defer { connection.close() }
        do {
            let writer = try makeWriter(connection)
            let feed = writer.plan.rows.makeFeed(sources, options, watch: watch)
            watch.phase = .retrying
            try watch.follow(feed) {
                while !watch.isStopped, let chunk = try feed.next() {
                    var summary = watch.summary
                    summary.counts += try write(chunk, writer, on: connection)
                    summary.read += chunk.recordCount + chunk.unreadable
                    summary.seconds = (ContinuousClock.now - start) / Duration.seconds(1)
                    watch.summary = summary
                }
                try resolveReferences(writer.plan, on: connection)
            }
        } catch let error where error is CancellationError {
            guard watch.isStopped else { throw error }
        }
        return watch.isStopped ? .stopped(watch.summary) : .finished(watch.summary)
    }

    private func makeWriter(_ connection: PostgresConnection) throws -> RowsWriter {
        let surveys: [ColumnSurvey?] =
            try model == nil
            ? ColumnSurvey.read(sources, options.reading, [retry.route], limit: nil) { reader in
                watch.begin { reader.cancel() }
            } : []
        if watch.isStopped { throw CancellationError() }
        let plan = try connection.transaction {
            try JournalTables.takeLock(on: connection)
            let plan = try PostgresPlan(
                address, [retry.route], sources, model: model, surveys: surveys, options, isLoading: false,
                on: connection)
            try RunStart.makeTables(plan, makesKeys: true, on: connection)
            return plan
        }
        let writer = RowsWriter(plan, run: retry.run)
        try writer.prepare(connection)
        return writer
    }

    /// Writes a chunk, whose rejects are gone from the database or updated then; returns the counts of its records.
    ///
    /// - Throws: `PostgresError`, `ImportError` if another process has retried the same rejects.
    private func write(
        _ chunk: PreparedChunk, _ writer: RowsWriter, on connection: PostgresConnection
    ) throws -> RecordCounts {
        var group = RowGroup(number: 1, routes: writer.plan.targets.count)
        group.chunks = [chunk]
        for part in chunk.parts { if let batch = part.rows { group.add(batch, route: part.route) } }
        let lines = try options.pendingRejects?.dequeue(through: chunk.lastLine) ?? []
        var (isCareful, attempt) = (false, 0)
        while true {
            do {
                return try connection.transaction {
                    try lockRejects(lines.map(\.line.id).filter { $0 > 0 }, on: connection)
                    let written = try writer.write(group, isCareful: isCareful, on: connection)
                    let rejects = chunk.rejects.map(\.reject) + written.refused.map(\.reject)
                    var counts = written.counts
                    counts.skipped += chunk.skipped
                    counts.rejected += rejects.count
                    try connection.resolve(lines, rejects) { reject in
                        RejectedRecord(reject, run: retry.run, route: retry.route, keyName: options.reading.keyName)
                    }
                    return counts
                }
            } catch let error as PostgresError {
                attempt += 1
                if error.isOfRows, !isCareful, writer.findsRefusedRows {
                    isCareful = true
                    continue
                }
                guard error.isRetryable, !connection.isBroken, attempt < RetryImport.attempts else { throw error }
            }
        }
    }

    /// Locks the rows of rejects, so that no other process imports their records too.
    private func lockRejects(_ ids: [Int64], on connection: PostgresConnection) throws {
        guard !ids.isEmpty else { return }
        let found = try connection.execute(
            "SELECT id FROM _reject WHERE id = ANY ($1::bigint[]) ORDER BY id FOR UPDATE", [.array(ids)])
        guard found.rowCount == Set(ids).count else {
            throw ImportError(
                .running, "another process has imported or forgotten some of these rejects meanwhile",
                hint: "retry the rest again")
        }
    }

    /// Links the references that waited for the records.
    private func resolveReferences(_ plan: PostgresPlan, on connection: PostgresConnection) throws {
        let dangling = DanglingReferences(plan.model, plan.rows, run: retry.run, options.dangling)
        _ = try connection.transaction { try dangling.resolve(on: connection) }
    }
}
