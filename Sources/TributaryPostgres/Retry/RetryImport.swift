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

    /// What writes the rows of a plan: records with nested objects, or those of its only table.
    private struct Writer {
        let plan: PostgresPlan
        let table: TableWriter?
        let related: PostgresRelatedWriter?
    }

    private func makeWriter(_ connection: PostgresConnection) throws -> Writer {
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
            try RunStart.makeTables(plan, run: retry.run, makesKeys: true, on: connection)
            return plan
        }
        let table = plan.targets.first.map { TableWriter($0, mode: options.mode, route: 0) }
        try table?.prepare(connection)
        return Writer(
            plan: plan, table: table,
            related: plan.rows.related.map {
                PostgresRelatedWriter($0, model: plan.model, mode: options.mode, run: retry.run)
            })
    }

    /// Writes a chunk, whose rejects are gone from the database or updated then; returns the counts of its records.
    ///
    /// - Throws: `PostgresError`, `ImportError` if another process has retried the same rejects.
    private func write(
        _ chunk: PreparedChunk, _ writer: Writer, on connection: PostgresConnection
    ) throws -> RecordCounts {
        let lines = try options.pendingRejects?.dequeue(through: chunk.lastLine) ?? []
        var (isCareful, attempt) = (false, 0)
        while true {
            do {
                return try connection.transaction {
                    try lockRejects(lines.map(\.line.id).filter { $0 > 0 }, on: connection)
                    var (counts, rejects) = try writeRows(of: chunk, writer, isCareful: isCareful, on: connection)
                    rejects = chunk.rejects.map(\.reject) + rejects
                    counts.skipped += chunk.skipped
                    counts.rejected += rejects.count
                    try connection.resolve(lines, rejects) { reject in
                        RejectedRecord(reject, run: retry.run, route: retry.route, keyName: options.reading.keyName)
                    }
                    return counts
                }
            } catch let error as PostgresError {
                attempt += 1
                if error.isOfRows, !isCareful, writer.related == nil {
                    isCareful = true
                    continue
                }
                guard error.isRetryable, !connection.isBroken, attempt < RetryImport.attempts else { throw error }
            }
        }
    }

    private func writeRows(
        of chunk: PreparedChunk, _ writer: Writer, isCareful: Bool, on connection: PostgresConnection
    ) throws -> (counts: RecordCounts, rejects: [Reject]) {
        func reject(_ record: Record?, _ error: JSONError) throws -> Reject {
            guard let record else {
                throw ImportError(.rejected, "\(error)", hint: "correct the record, or what the table demands")
            }
            return record.reject(error, keepingBytes: options.reading.limits.rejectedBytes)
        }
        if let related = writer.related {
            let written = try related.write([chunk].compactMap(\.related), on: connection)
            return (written.counts, try written.refused.map { try reject(chunk.chunk?[$0.record], $0.fault.error) })
        }
        guard let table = writer.table, let batch = chunk.parts.first?.rows else { return (RecordCounts(), []) }
        var group = RowGroup(number: 1, routes: 1)
        group.chunks = [chunk]
        group.add(batch, route: 0)
        let written =
            table.target.key.isEmpty
            ? try table.append(group.places[0], of: group, isCareful: isCareful, on: connection)
            : try table.write(group.places[0], of: group, isCareful: isCareful, on: connection)
        let finder = writer.plan.rows.finder([chunk], route: 0)
        return (
            written.counts,
            try written.refused.map { refused in
                try reject(finder.record(0, batch.entries[Int(refused.place.row)].ordinal), refused.error)
            }
        )
    }

    /// Locks the rows of rejects, so that no other process imports their records too.
    private func lockRejects(_ ids: [Int64], on connection: PostgresConnection) throws {
        guard !ids.isEmpty else { return }
        let list = "{" + ids.map(String.init).joined(separator: ",") + "}"
        let found = try connection.execute(
            "SELECT id FROM _reject WHERE id = ANY ($1::bigint[]) ORDER BY id FOR UPDATE", [.text(list)])
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
