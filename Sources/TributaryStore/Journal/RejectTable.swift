package import TributarySQLite

/// The table of the records that imports rejected.
///
/// The table is created with the first reject, so a store without rejects has none. No function begins a transaction: a
/// row belongs to the transaction of the group of its record.
enum RejectTable {
    static let name = "_reject"

    fileprivate static let columns = [
        "run", "entity", "at", "key", "keyName", "file", "byte", "line", "column", "record", "path", "code", "reason",
        "start", "length", "raw",
    ]
    fileprivate static let list = columns.map { "\"\($0)\"" }.joined(separator: ", ")
    fileprivate static let insertion =
        "INSERT INTO \"\(name)\" (\(list)) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
}

extension Connection {
    /// Inserts rejects with the next keys.
    package func insert(_ rejects: [RejectedRecord]) throws {
        guard !rejects.isEmpty else { return }
        // If the table exists, SQLite finds its name in memory.
        try execute(
            """
            CREATE TABLE IF NOT EXISTS \(identifier: RejectTable.name) ("id" INTEGER PRIMARY KEY AUTOINCREMENT,
            "run" INTEGER NOT NULL, "entity" TEXT, "at" TEXT, "key" TEXT, "keyName" TEXT, "file" TEXT, "byte" INTEGER,
            "line" INTEGER, "column" INTEGER, "record" INTEGER, "path" TEXT, "code" TEXT NOT NULL,
            "reason" TEXT NOT NULL, "start" INTEGER NOT NULL, "length" INTEGER NOT NULL, "raw" BLOB NOT NULL)
            """)
        try execute(
            """
            CREATE INDEX IF NOT EXISTS \(identifier: RejectTable.name + "_run") ON \(identifier: RejectTable.name) ("run")
            """)
        try withUnboundStatement(RejectTable.insertion) { statement in
            for reject in rejects {
                let values =
                    reject.columns(
                        number: { $0.map { .integer(Int64($0)) } ?? .null }, text: { $0.map { .text($0) } ?? .null },
                        bytes: { .blob($0) }) as [SQLValue]
                try statement.bind(values)
                try statement.run()
            }
        }
    }

    /// Updates the error of a record that was rejected again, and its bytes if they were edited.
    package func updateReject(_ id: Int64, code: String, reason: String, edited raw: [UInt8]?) throws {
        var sets: SQLFragment = "\"code\" = \(code), \"reason\" = \(reason)"
        if let raw { sets += ", \"raw\" = \(raw), \"length\" = \(raw.count)" }
        try execute("UPDATE \(identifier: RejectTable.name) SET \(sets) WHERE \"id\" = \(id)")
    }

    /// Deletes a reject.
    package func deleteReject(_ id: Int64) throws {
        try execute("DELETE FROM \(identifier: RejectTable.name) WHERE \"id\" = \(id)")
    }

    /// Deletes the rejects of a run.
    package func deleteRejects(run: Int) throws {
        guard try hasTable(RejectTable.name) else { return }
        try execute("DELETE FROM \(identifier: RejectTable.name) WHERE \"run\" = \(run)")
    }

    /// The reject with a key; nil if it was deleted.
    package func reject(_ id: Int64) throws -> RejectedRecord? {
        try rejects(where: "\"id\" = \(id)", limit: 1).first
    }

    /// The next rejects after a key, of one run or of all: at most `limit`, and none once they have a mebibyte.
    package func rejects(after id: Int64, run: Int?, limit: Int) throws -> [RejectedRecord] {
        let isOfRun: SQLFragment = if let run { "\"run\" = \(run) AND " } else { "" }
        return try rejects(where: isOfRun + "\"id\" > \(id) ORDER BY \"id\"", limit: limit, bytes: 1 << 20)
    }

    private func rejects(
        where condition: SQLFragment, limit: Int, bytes maxBytes: Int = .max
    ) throws -> [RejectedRecord] {
        guard try hasTable(RejectTable.name) else { return [] }
        let list = SQLFragment(trusted: "\"id\", " + RejectTable.list)
        let query: SQLFragment = "SELECT \(list) FROM \(identifier: RejectTable.name) WHERE \(condition) LIMIT \(limit)"
        var rejects: [RejectedRecord] = []
        var bytes = 0
        try withStatement(query) { row in
            while bytes < maxBytes, try row.step() {
                let reject = RejectedRecord(
                    number: { row.isNull(at: $0) ? nil : Int(row.integer(at: $0)) },
                    text: { row.isNull(at: $0) ? nil : row.text(at: $0) },
                    bytes: { row.withBlob(at: $0) { Array($0) } })
                bytes += reject.raw.count
                rejects.append(reject)
            }
        }
        return rejects
    }

    /// The number of rejects, of one run or of all.
    package func rejectCount(run: Int?) throws -> Int {
        guard try hasTable(RejectTable.name) else { return 0 }
        let isOfRun: SQLFragment = if let run { " WHERE \"run\" = \(run)" } else { "" }
        return try Int(integer(of: "SELECT count(*) FROM \(identifier: RejectTable.name)" + isOfRun) ?? 0)
    }

    /// The number of rejects of a run of which only the first bytes are kept.
    package func truncatedRejectCount(run: Int) throws -> Int {
        guard try hasTable(RejectTable.name) else { return 0 }
        return try Int(
            integer(
                of: """
                    SELECT count(*) FROM \(identifier: RejectTable.name)
                    WHERE "run" = \(run) AND length("raw") < "length"
                    """) ?? 0)
    }

    /// The number of rejects of each run that has some.
    package func rejectCounts() throws -> [Int: Int] {
        guard try hasTable(RejectTable.name) else { return [:] }
        let counts = try rows(
            of: "SELECT \"run\", count(*) FROM \(identifier: RejectTable.name) GROUP BY \"run\""
        ) { (Int($0.integer(at: 0)), Int($0.integer(at: 1))) }
        return Dictionary(counts) { $1 }
    }
}
