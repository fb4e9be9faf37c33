import Foundation
import TributaryImport
import TributaryStore
import TributaryJSON

/// Writes groups through one connection, each in one transaction with its rejects and the position after it.
final class GroupWriter {
    private let work: RangeWork
    private var plan: PostgresPlan { work.plan }
    private let rows: RowsWriter
    private var connection: PostgresConnection?
    /// Whether the server has refused rows of the latest group, so that it is likely to refuse some of the next one.
    private var expectsRefusals = false
    /// The number of attempts to write a group before an error that may pass ends the import.
    private static let attempts = 12

    /// A writer with a connection of its own.
    init(_ work: RangeWork) throws {
        self.work = work
        rows = RowsWriter(work.plan, run: work.run.run)
        _ = try openConnection()
    }

    deinit { connection?.close() }

    /// The connection, or a new one if it is lost.
    private func openConnection() throws -> PostgresConnection {
        if let connection, !connection.isBroken { return connection }
        let connection = try work.settings.connect(plan.address, role: "import")
        // A chunk looks up its keys in the index: the planner would read the whole table for it.
        try connection.execute("SET enable_hashjoin = off")
        try connection.execute("SET enable_mergejoin = off")
        // A later group may wait for this one to commit while it locks a row that this one needs.
        try connection.execute("SET lock_timeout = '60s'")
        try rows.prepare(connection)
        self.connection = connection
        return connection
    }

    /// What became of the records of a group, with all rejects in feed order.
    typealias Outcome = (written: RowsWriter.Outcome, rejects: [RejectedRecord])

    /// Writes a group and commits it after all earlier ones; false if nothing may follow.
    func write(_ group: RowGroup) throws -> Bool {
        // Careful writing searches refused rows.
        var (group, isCareful, failures) = (group, expectsRefusals, 0)
        var outcome: Outcome?
        while outcome == nil {
            do {
                outcome = try write(group, isCareful: isCareful)
                if outcome == nil { return false }
            } catch {
                connection?.discardTransaction()
                if let error = error as? PostgresError, error.isOfRows {
                    // The rows of a range that another process has taken over may be there already.
                    try RunJournal.check(work.range, on: openConnection())
                }
                switch error {
                case let error as PostgresError where error.isOfRows && !isCareful && rows.findsRefusedRows:
                    isCareful = true
                case let error as PostgresError
                where (error.isRetryable || failures > 0 && error.code == .unreachable)
                    && failures < GroupWriter.attempts:
                    failures += 1
                    // Alone, after all earlier groups, it meets no other transaction of this process.
                    guard work.groups.order.waitForCommit(of: group.number - 1) else { return false }
                    Thread.sleep(forTimeInterval: min(5, 0.05 * Double(1 << min(failures, 7))))
                case let stop as EndingReject:
                    group.cut(to: stop.chunk)
                    (group.cause, group.isLast) = (stop.error, false)
                default: throw error
                }
            }
        }
        expectsRefusals = isCareful && outcome?.written.refused.isEmpty == false
        if let cause = group.cause {
            // Thrown before it counts as committed: no later group may follow, as the rest of this one is not written.
            throw ImportError.rejected(cause)
        }
        work.groups.order.markCommitted(group.number)
        try work.plan.options.checkRejects(of: work.watch.summary)
        return true
    }

    /// A reject that the server has caused and that ends the import, and its chunk.
    private struct EndingReject: Error {
        let chunk: Int
        let error: JSONError
    }

    /// Writes a group in one transaction; nil if nothing may follow.
    private func write(_ group: RowGroup, isCareful: Bool) throws -> Outcome? {
        guard group.predecessor == 0 || work.groups.order.waitForCommit(of: group.predecessor) else { return nil }
        let connection = try openConnection()
        try connection.begin()
        if work.watch.phase != .reading { work.watch.phase = .reading }
        let outcome = try writeRows(group, isCareful: isCareful, on: connection)
        guard work.groups.order.waitForCommit(of: group.number - 1) else {
            connection.discardTransaction()
            return nil
        }
        try work.commit(group, outcome) { range in
            // First, since another process that has taken the range over may have added the same rows.
            try RunJournal.commit(&range, on: connection)
            if plan.options.onError == .quarantine { try connection.insert(outcome.rejects) }
            for route in group.held.indices {
                let finder = plan.rows.finder(group.chunks, route: route)
                try HeldRows.insert(
                    group, route: route, run: work.run.run, plan.targets[route], finder, on: connection)
            }
            try connection.commit()
        }
        return outcome
    }

    // MARK: Rows

    private func writeRows(_ group: RowGroup, isCareful: Bool, on connection: PostgresConnection) throws -> Outcome {
        if plan.isFixed { try checkMembers(of: group) }
        let written = try rows.write(group, loads: work.run.loads, isCareful: isCareful, on: connection)
        let refused = Dictionary(grouping: written.refused, by: \.chunk)
        if plan.options.onError == .stop, let chunk = refused.keys.min(),
            let first = refused[chunk]?.min(by: { $0.reject.offset < $1.reject.offset })
        {
            throw EndingReject(chunk: chunk, error: first.reject.error)
        }
        var rejects: [RejectedRecord] = []
        for (index, chunk) in group.chunks.enumerated() {
            let all = chunk.rejects.map { ($0.reject, $0.route) } + (refused[index] ?? []).map { ($0.reject, $0.route) }
            for (reject, route) in all.sorted(by: { $0.0.offset < $1.0.offset }) {
                rejects.append(
                    RejectedRecord(
                        reject, run: work.run.run, route: route.map { plan.described[$0] },
                        keyName: plan.options.reading.keyName))
            }
        }
        return (written, rejects)
    }

    /// Throws if records have members for which their table has no column.
    private func checkMembers(of group: RowGroup) throws {
        for part in group.chunks.flatMap(\.parts) where !part.mapping.unknown.isEmpty {
            throw ImportError(
                .route,
                "the table \(plan.described[part.route].entityName) has no column for \(part.mapping.unknown.keys.sorted().shortList)",
                remedy: .addColumns)
        }
    }
}

extension PostgresConnection {
    /// Rolls back what is left of a transaction after an error; a broken connection has done so.
    func discardTransaction() {
        abandonCopy("the import gives the transaction up")
        if isInTransaction, !isBroken { try? rollback() }
    }
}
