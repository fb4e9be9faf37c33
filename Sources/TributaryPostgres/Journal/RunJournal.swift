import Foundation
import TributaryImport
import TributaryJSON

/// The journal of imports into a database of PostgreSQL: a row for each run, and one for each range of its sources.
///
/// A run that one process does has one range, the number 0. Its counts are the sums of those of its ranges.
enum RunJournal {
    // MARK: Runs

    /// Reads JSON of a row.
    private static func decode<Value: Decodable>(_ text: String, of what: String, orForget: Bool = false) throws
        -> Value
    {
        guard let value = try? JSONDecoder().decode(Value.self, from: Data(text.utf8)) else {
            let hint = "use the version that wrote it" + (orForget ? ", or forget the run" : "")
            throw ImportError(.journal, "\(what) of the journal cannot be read", hint: hint)
        }
        return value
    }

    /// Reads the entry of a run or of one of its ranges.
    private static func entry(
        _ text: String?, of run: Int, _ identity: String, _ connection: PostgresConnection
    ) throws -> JournalEntry {
        try JournalEntry(stored: text ?? "", run: run, identity: identity, in: "\(connection.address)")
    }

    private static let columns: PostgresSQL = "run, identity, entry, indexes, shared, phase"

    private static func run(_ rows: PostgresResult, _ row: Int, _ connection: PostgresConnection) throws -> StoredRun {
        let run = Int(rows.integer(row, 0) ?? 0)
        return StoredRun(
            run: run, entry: try entry(rows.text(row, 2), of: run, rows.text(row, 1) ?? "", connection),
            indexes: try decode(rows.text(row, 3) ?? "{}", of: "run \(run)"), isShared: rows.boolean(row, 4) ?? false,
            phase: StoredRun.Phase(rawValue: rows.text(row, 5) ?? "") ?? .done)
    }

    /// The latest run of an import; nil if there is none.
    static func latest(_ identity: String, on connection: PostgresConnection) throws -> StoredRun? {
        try runs("WHERE identity = $1 ORDER BY run DESC LIMIT 1", [.text(identity)], on: connection).first
    }

    /// A run by its number; nil if there is none.
    static func run(_ number: Int, on connection: PostgresConnection) throws -> StoredRun? {
        try runs("WHERE run = $1::bigint", [.integer(Int64(number))], on: connection).first
    }

    /// All runs, the oldest first, with their counts so far.
    static func runs(on connection: PostgresConnection) throws -> [StoredRun] {
        let runs = try self.runs("ORDER BY run", on: connection)
        let summaries = try summaries(of: runs.filter { $0.entry.state != .finished }, on: connection)
        return runs.map { run in
            var run = run
            run.entry.summary = summaries[run.run] ?? run.entry.summary
            return run
        }
    }

    /// The runs that are not finished, the oldest first; their counts are those of their beginning.
    static func unfinished(on connection: PostgresConnection) throws -> [StoredRun] {
        try runs("WHERE state <> 'finished' ORDER BY run", on: connection).filter(\.entry.state.isUnfinished)
    }

    /// The runs of an import, the oldest first; the counts of unfinished ones are those of their beginning.
    static func runs(of identity: String, on connection: PostgresConnection) throws -> [StoredRun] {
        try runs("WHERE identity = $1 ORDER BY run", [.text(identity)], on: connection)
    }

    private static func runs(
        _ clauses: PostgresSQL, _ values: [PostgresValue] = [], on connection: PostgresConnection
    ) throws -> [StoredRun] {
        let rows = try connection.execute("SELECT \(columns) FROM _run \(clauses)", values)
        return try (0..<rows.rowCount).map { try run(rows, $0, connection) }
    }

    /// For each table that an unfinished run fills without an index, that run.
    static func loading(on connection: PostgresConnection) throws -> [String: StoredRun] {
        var loading: [String: StoredRun] = [:]
        for run in try unfinished(on: connection) {
            for name in run.indexes.keys { loading[name] = run }
        }
        return loading
    }

    /// Adds a run, whose entry `write` writes in the same transaction.
    static func insert(
        _ identity: ImportIdentity, _ sources: [SourceFingerprint], indexes: [String: [String]],
        isShared: Bool,
        on connection: PostgresConnection
    ) throws -> StoredRun {
        let now = Date()
        let rows = try connection.execute(
            """
            INSERT INTO _run (identity, state, entry, indexes, shared, phase) VALUES ($1, 'running', '', $2,
            $3::boolean, $4) RETURNING run
            """,
            [
                .text(identity.hash), .text(StoredJSON.text(indexes)), .boolean(isShared),
                .text((isShared ? StoredRun.Phase.keys : .load).rawValue),
            ])
        let run = Int(rows.firstInteger ?? 0)
        let entry = JournalEntry(run: run, identity: identity, started: now, updated: now, sources: sources)
        return StoredRun(run: run, entry: entry, indexes: indexes, isShared: isShared, phase: isShared ? .keys : .load)
    }

    /// Writes the row of a run.
    static func write(_ stored: StoredRun, on connection: PostgresConnection) throws {
        var entry = stored.entry
        entry.updated = Date()
        try connection.execute(
            """
            UPDATE _run SET state = $2, entry = $3, indexes = $4, shared = $5::boolean, phase = $6
            WHERE run = $1::bigint
            """,
            [
                .integer(Int64(stored.run)), .text(entry.state.rawValue), .text(entry.stored),
                .text(StoredJSON.text(stored.indexes)),
                .boolean(stored.isShared), .text(stored.phase.rawValue),
            ])
    }

    /// Deletes a run with its rejects and unfinished work; rows of tables stay.
    static func delete(_ run: Int, on connection: PostgresConnection) throws -> Bool {
        try clear(run, on: connection)
        try connection.deleteRejects(run: run)
        return try connection.execute("DELETE FROM _run WHERE run = $1::bigint", [.integer(Int64(run))])
            .affectedRows > 0
    }

    /// Deletes the unfinished work of a run.
    static func clear(_ run: Int, on connection: PostgresConnection) throws {
        let number: [PostgresValue] = [.integer(Int64(run))]
        try connection.execute("DELETE FROM _range WHERE run = $1::bigint", number)
        try connection.execute("DELETE FROM _held WHERE run = $1::bigint", number)
        try connection.execute("DELETE FROM _key WHERE run = $1::bigint", number)
    }

    // MARK: Ranges

    /// Adds an unclaimed range.
    static func insert(
        range number: Int, _ range: RecordRange?, of stored: StoredRun, step: StoredRun.Phase,
        on connection: PostgresConnection
    ) throws {
        var entry = stored.entry
        if let range { entry.checkpoint = range.start }
        try connection.execute(
            """
            INSERT INTO _range (run, number, range, entry, step) VALUES ($1::bigint, $2::bigint, $3, $4, $5)
            ON CONFLICT DO NOTHING
            """,
            [
                .integer(Int64(stored.run)), .integer(Int64(number)),
                range.map { .text(StoredJSON.text($0)) } ?? .null,
                .text(entry.stored), .text(step.rawValue),
            ])
    }

    /// The name of a process that works on ranges: the host, the process, and a number that no other import of it has.
    static func newOwner() -> String {
        let process = ProcessInfo.processInfo
        let number = String(UInt32.random(in: 0...UInt32.max), radix: 16)
        return "\(process.hostName), process \(process.processIdentifier), \(number)"
    }

    /// The end of a lease that begins now; `now()` is when the transaction began.
    private static let leaseEnd: PostgresSQL = "clock_timestamp() + interval '30 s'"

    /// A range is free if it was never claimed, if its process has been silent for long, or if its connection is gone.
    private static let isFree: PostgresSQL = """
        (r.lease IS NULL OR r.lease < clock_timestamp() OR NOT EXISTS (SELECT FROM pg_stat_activity a WHERE a.pid = r.backend
        AND (a.backend_start IS NULL OR a.backend_start = r.backend_start)))
        """

    /// Claims the first free range of a run for a step of its work; nil if there is none.
    static func claim(
        _ stored: StoredRun, step: StoredRun.Phase, by owner: String, on connection: PostgresConnection
    ) throws -> ClaimedRange? {
        let rows = try connection.execute(
            """
            UPDATE _range SET epoch = epoch + 1, owner = $3, backend = pg_backend_pid(),
            backend_start = (SELECT backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()),
            lease = \(leaseEnd)
            WHERE (run, number) = (SELECT r.run, r.number FROM _range r WHERE r.run = $1::bigint AND NOT r.done
            AND r.step = $2 AND (r.owner = $3 OR \(isFree)) ORDER BY r.number FOR UPDATE SKIP LOCKED LIMIT 1)
            RETURNING number, range, entry, commits, epoch
            """, [.integer(Int64(stored.run)), .text(step.rawValue), .text(owner)])
        guard rows.rowCount > 0 else { return nil }
        return ClaimedRange(
            number: Int(rows.integer(0, 0) ?? 0),
            range: try rows.text(0, 1).map { try decode($0, of: "a range of run \(stored.run)", orForget: true) },
            entry: try entry(rows.text(0, 2), of: stored.run, stored.entry.identity.hash, connection),
            commits: rows.integer(0, 3) ?? 0, epoch: rows.integer(0, 4) ?? 0)
    }

    /// The owners of ranges that are worked on.
    static func owners(of run: Int, on connection: PostgresConnection) throws -> [String] {
        let rows = try connection.execute(
            """
            SELECT DISTINCT r.owner FROM _range r WHERE r.run = $1::bigint AND NOT r.done AND r.owner IS NOT NULL
            AND NOT \(isFree) ORDER BY 1
            """, [.integer(Int64(run))])
        return (0..<rows.rowCount).compactMap { rows.text($0, 0) }
    }

    /// Writes the counts and the position of a range, in the transaction of the group that they include.
    static func commit(_ range: inout ClaimedRange, done: Bool = false, on connection: PostgresConnection) throws {
        range.entry.updated = Date()
        let updated = try connection.execute(
            """
            UPDATE _range SET entry = $4, commits = commits + 1, done = $5::boolean, lease = \(leaseEnd)
            WHERE run = $1::bigint AND number = $2::bigint AND epoch = $3::bigint AND commits = $6::bigint
            """,
            [
                .integer(Int64(range.entry.run)), .integer(Int64(range.number)), .integer(range.epoch),
                .text(range.entry.stored), .boolean(done), .integer(range.commits),
            ])
        guard updated.affectedRows == 1 else { throw LostRange() }
        range.commits += 1
    }

    /// Throws ``LostRange`` if another process has taken a range over, or its commit was not noticed.
    static func check(_ range: ClaimedRange, on connection: PostgresConnection) throws {
        let found = try connection.execute(
            """
            SELECT FROM _range WHERE run = $1::bigint AND number = $2::bigint AND epoch = $3::bigint AND commits = $4::bigint
            """,
            [
                .integer(Int64(range.entry.run)), .integer(Int64(range.number)), .integer(range.epoch),
                .integer(range.commits),
            ])
        guard found.rowCount == 1 else { throw LostRange() }
    }

    /// Says that the process of a range is alive, through a connection that may be new.
    static func renew(_ range: ClaimedRange, _ owner: String, on connection: PostgresConnection) throws {
        try connection.execute(
            """
            UPDATE _range SET lease = \(leaseEnd), backend = pg_backend_pid(),
            backend_start = (SELECT backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid())
            WHERE run = $1::bigint AND number = $2::bigint AND epoch = $3::bigint AND owner = $4
            """,
            [
                .integer(Int64(range.entry.run)), .integer(Int64(range.number)), .integer(range.epoch),
                .text(owner),
            ])
    }

    /// Gives a range back, so that another process need not wait for its lease.
    static func release(_ range: ClaimedRange, on connection: PostgresConnection) throws {
        try connection.execute(
            """
            UPDATE _range SET lease = NULL, owner = NULL
            WHERE run = $1::bigint AND number = $2::bigint AND epoch = $3::bigint
            """, [.integer(Int64(range.entry.run)), .integer(Int64(range.number)), .integer(range.epoch)])
    }

    /// The entry of the last range, with the fingerprints of the sources and the position after them; that of the run if
    /// several processes share it.
    static func lastEntry(of stored: StoredRun, on connection: PostgresConnection) throws -> JournalEntry {
        let rows = try connection.execute(
            "SELECT entry FROM _range WHERE run = $1::bigint AND number >= 0 ORDER BY number DESC LIMIT 1",
            [.integer(Int64(stored.run))])
        guard !stored.isShared, rows.rowCount > 0 else { return stored.entry }
        return try entry(rows.text(0, 0), of: stored.run, stored.entry.identity.hash, connection)
    }

    /// The sum of the counts of all ranges, or of all but one.
    static func summary(
        of stored: StoredRun, without number: Int? = nil, on connection: PostgresConnection
    ) throws -> ImportSummary {
        try summaries(of: [stored], without: number, on: connection)[stored.run] ?? stored.entry.summary
    }

    /// The sums of runs by their numbers; a run without ranges has none.
    private static func summaries(
        of runs: [StoredRun], without number: Int? = nil, on connection: PostgresConnection
    ) throws -> [Int: ImportSummary] {
        let list = PostgresValue.array(runs.map { Int64($0.run) })
        let rows = try connection.execute(
            """
            SELECT run, entry FROM _range WHERE run = ANY($1::bigint[]) AND number IS DISTINCT FROM $2::bigint
            ORDER BY run, number
            """, [list, number.map { .integer(Int64($0)) } ?? .null])
        let held = try connection.execute(
            "SELECT run, count(*) FROM _held WHERE run = ANY($1::bigint[]) GROUP BY run", [list])
        let identities = Dictionary(uniqueKeysWithValues: runs.map { ($0.run, $0.entry.identity.hash) })
        var totals: [Int: ImportSummary] = [:]
        for row in 0..<rows.rowCount {
            let run = Int(rows.integer(row, 0) ?? 0)
            let summary = try entry(rows.text(row, 1), of: run, identities[run] ?? "", connection).summary
            // The range of rows that are applied at the end has read none.
            if summary.read == 0, summary.counts.total == 0, totals[run] != nil { continue }
            if totals[run] == nil { totals[run] = summary } else { totals[run]?.add(summary) }
        }
        for run in totals.keys { totals[run]?.waiting = 0 }
        for row in 0..<held.rowCount {
            totals[Int(held.integer(row, 0) ?? 0)]?.waiting = Int(held.integer(row, 1) ?? 0)
        }
        return totals
    }
}

extension PostgresResult {
    /// The number in the only field; nil if there is no row, or it is null.
    var firstInteger: Int64? { rowCount > 0 ? integer(0, 0) : nil }
}
