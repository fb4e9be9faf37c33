package import TributarySQLite

/// The journal of a store: a table with a row for each run of an import.
///
/// The import defines the contents of the columns. The table is created with the first row, so a store without imports
/// has none. No function begins a transaction: a row belongs to the transaction of the data that it describes.
package enum RunTable {
    /// A run.
    package struct Row: Sendable, Hashable {
        /// The number of the run, from 1, unique in the store.
        package var run: Int
        /// The identity of the import: runs with the same identity repeat the same import.
        package var identity: String
        /// The state of the run.
        package var state: String
        /// All other properties of the run, as JSON.
        package var payload: String

        package init(run: Int, identity: String, state: String, payload: String) {
            self.run = run
            self.identity = identity
            self.state = state
            self.payload = payload
        }
    }

    /// The name of the table.
    static let name = "_run"

    /// The latest run with an identity.
    package static func latest(_ identity: String, on connection: Connection) throws -> Row? {
        try rows("WHERE \"identity\" = \(identity) ORDER BY \"run\" DESC LIMIT 1", on: connection).first
    }

    /// The run with a number.
    package static func row(_ run: Int, on connection: Connection) throws -> Row? {
        try rows("WHERE \"run\" = \(run)", on: connection).first
    }

    /// The runs with an identity, in ascending order.
    package static func all(with identity: String, on connection: Connection) throws -> [Row] {
        try rows("WHERE \"identity\" = \(identity) ORDER BY \"run\"", on: connection)
    }

    /// All runs, in ascending order.
    package static func all(on connection: Connection) throws -> [Row] {
        try rows("ORDER BY \"run\"", on: connection)
    }

    /// The runs with numbers below or above one, those next to it, in descending order: at most `limit`.
    package static func page(
        below: Int? = nil, above: Int? = nil, limit: Int, on connection: Connection
    ) throws -> [Row] {
        if let above {
            let clauses: SQLFragment = "WHERE \"run\" > \(above) ORDER BY \"run\" LIMIT \(limit)"
            return try rows(clauses, on: connection).reversed()
        }
        let condition: SQLFragment = if let below { "WHERE \"run\" < \(below) " } else { "" }
        return try rows(condition + "ORDER BY \"run\" DESC LIMIT \(limit)", on: connection)
    }

    /// The key of the greatest number of a deleted run, in the metadata.
    private static let lastDeleted = "last run"

    /// The number that the next run gets.
    package static func nextRun(on connection: Connection) throws -> Int {
        guard try connection.hasTable(name) else { return 1 }
        // The number of a deleted run is not used again: a file of rejects may have it.
        let deleted = try MetadataTable.value(of: lastDeleted, on: connection).flatMap(Int64.init) ?? 0
        let number = max(deleted, try connection.integer(of: "SELECT MAX(\"run\") FROM \(identifier: name)") ?? 0)
        guard number < Int64.max else {
            throw SQLiteError(
                .tooBig, "the table _run has no run number left", database: connection.name,
                hint: "delete the row with the greatest run number")
        }
        return Int(number) + 1
    }

    /// The greatest number of a deleted run after one; nil if there is none.
    ///
    /// Each new run gets the number after the greatest one so far, so a number without a row was deleted.
    package static func greatestDeleted(after run: Int, on connection: Connection) throws -> Int? {
        let last = try nextRun(on: connection) - 1
        guard last > run else { return nil }
        if try row(last, on: connection) == nil { return last }
        return try connection.integer(
            of: """
                SELECT MAX("run") - 1 FROM \(identifier: name) AS r WHERE r."run" > \(run + 1)
                AND NOT EXISTS (SELECT 1 FROM \(identifier: name) AS e WHERE e."run" = r."run" - 1)
                """
        ).map { Int($0) }
    }

    /// Inserts a row, or replaces the row of the same run.
    package static func write(_ row: Row, on connection: Connection) throws {
        // If the table exists, SQLite finds its name in memory.
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(identifier: name) ("run" INTEGER PRIMARY KEY, "identity" TEXT NOT NULL,
            "state" TEXT NOT NULL, "payload" TEXT NOT NULL)
            """)
        try connection.execute(
            """
            INSERT INTO \(identifier: name) ("run", "identity", "state", "payload")
            VALUES (\(row.run), \(row.identity), \(row.state), \(row.payload))
            ON CONFLICT ("run") DO UPDATE
            SET "identity" = excluded."identity", "state" = excluded."state", "payload" = excluded."payload"
            """)
    }

    /// Deletes a row; false if there is none.
    @discardableResult
    package static func delete(_ run: Int, on connection: Connection) throws -> Bool {
        guard try connection.hasTable(name) else { return false }
        let last = try nextRun(on: connection) - 1
        try MetadataTable.set(lastDeleted, to: "\(last)", on: connection)
        try connection.execute("DELETE FROM \(identifier: name) WHERE \"run\" = \(run)")
        return connection.changeCount > 0
    }

    /// The condition that a run has kept what it changed, as its payload says.
    private static let hasKeptChanges: SQLFragment =
        "CASE WHEN json_valid(\"payload\") THEN json_extract(\"payload\", '$.keepsChanges') END"

    /// The runs that have kept what they changed, and can be undone.
    static func withChanges(on connection: Connection) throws -> [Int] {
        try rows("WHERE \(hasKeptChanges) AND \"state\" <> 'undone' ORDER BY \"run\"", on: connection).map(\.run)
    }

    /// Writes into the rows of all runs that none has kept what it changed.
    static func removeChanges(on connection: Connection) throws {
        guard try connection.hasTable(name) else { return }
        try connection.execute(
            "UPDATE \(identifier: name) SET \"payload\" = json_remove(\"payload\", '$.keepsChanges') WHERE \(hasKeptChanges)"
        )
    }

    private static func rows(_ clauses: SQLFragment, on connection: Connection) throws -> [Row] {
        guard try connection.hasTable(name) else { return [] }
        let query: SQLFragment =
            "SELECT \"run\", \"identity\", \"state\", \"payload\" FROM \(identifier: name) \(clauses)"
        return try connection.rows(of: query) { row in
            Row(
                run: Int(row.integer(at: 0)), identity: row.text(at: 1), state: row.text(at: 2),
                payload: row.text(at: 3))
        }
    }
}
