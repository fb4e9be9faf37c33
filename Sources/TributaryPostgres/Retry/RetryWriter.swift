import TributaryImport
import TributaryStore
import TributaryJSON

/// Writes retried records, each chunk in one transaction with the changes of its rejects.
final class RetryWriter {
    private let plan: PostgresPlan
    private let run: Int
    private let pending: PendingRejects
    private let connection: PostgresConnection
    private let writer: TableWriter?
    private let related: PostgresRelatedWriter?
    /// The number of attempts to write a chunk.
    private static let attempts = 6

    init(_ plan: PostgresPlan, run: Int, _ pending: PendingRejects, _ connection: PostgresConnection) throws {
        (self.plan, self.run, self.pending, self.connection) = (plan, run, pending, connection)
        writer = plan.targets.first.map { TableWriter($0, mode: plan.options.mode, route: 0) }
        related = plan.rows.related.map {
            PostgresRelatedWriter($0, model: plan.model, mode: plan.options.mode, run: run)
        }
        try writer?.prepare(connection)
    }

    /// Writes a chunk, whose rejects are gone from the database or updated then.
    ///
    /// - Returns: The counts of its records.
    /// - Throws: `PostgresError`, `ImportError` if another process has retried the same rejects.
    func write(_ chunk: PreparedChunk) throws -> RecordCounts {
        let lines = pending.dequeue(through: chunk.lastLine)
        var (isCareful, attempt) = (false, 0)
        while true {
            do {
                return try connection.transaction { try write(chunk, lines, isCareful: isCareful) }
            } catch let error as PostgresError {
                attempt += 1
                if error.isOfRows, !isCareful, related == nil {
                    isCareful = true
                    continue
                }
                guard error.isRetryable, !connection.isBroken, attempt < RetryWriter.attempts else { throw error }
            }
        }
    }

    private func write(
        _ chunk: PreparedChunk, _ lines: [(number: Int, line: PendingRejects.Line)], isCareful: Bool
    ) throws -> RecordCounts {
        try lockRejects(lines.map(\.line.id).filter { $0 > 0 })
        var group = RowGroup(number: 1, routes: 1)
        group.chunks = [chunk]
        var (counts, rejects) = (RecordCounts(), chunk.rejects.map(\.reject))
        func add(_ record: Record?, _ error: JSONError) throws {
            guard let record else {
                throw ImportError(.rejected, "\(error)", hint: "correct the record, or what the table demands")
            }
            rejects.append(record.reject(error, keepingBytes: plan.options.reading.limits.rejectedBytes))
        }
        if let related {
            let written = try related.write([chunk].compactMap(\.related), on: connection)
            counts = written.counts
            for refused in written.refused { try add(chunk.chunk?[refused.record], refused.fault.error) }
        } else if let writer, let batch = chunk.parts.first?.rows {
            group.add(batch, route: 0)
            let written =
                writer.target.key.isEmpty
                ? try writer.append(group.places[0], of: group, isCareful: isCareful, on: connection)
                : try writer.write(group.places[0], of: group, isCareful: isCareful, on: connection)
            counts = written.counts
            let finder = plan.rows.finder([chunk], route: 0)
            for refused in written.refused {
                try add(finder.record(0, batch.entries[Int(refused.place.row)].ordinal), refused.error)
            }
        }
        counts.skipped += chunk.skipped
        counts.rejected += rejects.count
        try PendingRejects.resolve(lines, rejects, in: connection) { reject in
            RejectedRecord(reject, run: run, route: plan.described[0], keyName: plan.options.reading.keyName)
        }
        return counts
    }

    /// Locks the rows of rejects, so that no other process imports their records too.
    private func lockRejects(_ ids: [Int64]) throws {
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
    ///
    /// - Throws: `PostgresError`.
    func finish() throws {
        let dangling = DanglingReferences(plan.model, plan.rows, run: run, plan.options.dangling)
        _ = try connection.transaction { try dangling.resolve(on: connection) }
    }
}
