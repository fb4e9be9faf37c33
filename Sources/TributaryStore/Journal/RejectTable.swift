package import TributarySQLite

/// The table of the records that imports rejected.
///
/// It is created with the first row, and a key is never assigned twice. No function begins a transaction: a row belongs
/// to the transaction of the group of its record.
package enum RejectTable {
    static let name = "_reject"

    private static let columns = [
        "run", "entity", "at", "key", "keyName", "file", "byte", "line", "column", "record", "path", "code", "reason",
        "start", "length", "raw",
    ]
    private static let list = columns.map { "\"\($0)\"" }.joined(separator: ", ")
    private static let insertion =
        "INSERT INTO \"\(name)\" (\(list)) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"

    /// Inserts a reject with the next key.
    ///
    /// - Throws: `SQLiteError`.
    package static func insert(_ reject: RejectedRecord, on connection: Connection) throws {
        // If the table exists, SQLite finds its name in memory.
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(identifier: name) ("id" INTEGER PRIMARY KEY AUTOINCREMENT,
            "run" INTEGER NOT NULL, "entity" TEXT, "at" TEXT, "key" TEXT, "keyName" TEXT, "file" TEXT, "byte" INTEGER,
            "line" INTEGER, "column" INTEGER, "record" INTEGER, "path" TEXT, "code" TEXT NOT NULL,
            "reason" TEXT NOT NULL, "start" INTEGER NOT NULL, "length" INTEGER NOT NULL, "raw" BLOB NOT NULL)
            """)
        try connection.execute(
            "CREATE INDEX IF NOT EXISTS \(identifier: name + "_run") ON \(identifier: name) (\"run\")")
        try connection.withUnboundStatement(insertion) { statement in
            try statement.bind(values(of: reject))
            _ = try statement.step()
        }
    }

    /// Updates the error of a record that was rejected again, and its bytes if they were edited.
    ///
    /// - Throws: `SQLiteError`.
    package static func update(
        _ id: Int64, code: String, reason: String, edited raw: [UInt8]?, on connection: Connection
    ) throws {
        try connection.execute(
            "UPDATE \(identifier: name) SET \"code\" = \(code), \"reason\" = \(reason) WHERE \"id\" = \(id)")
        guard let raw else { return }
        try connection.execute(
            """
            UPDATE \(identifier: name) SET "raw" = \(SQLValue.blob(raw)), "length" = \(raw.count) WHERE "id" = \(id)
            """)
    }

    /// Deletes a row.
    ///
    /// - Throws: `SQLiteError`.
    package static func delete(_ id: Int64, on connection: Connection) throws {
        try connection.execute("DELETE FROM \(identifier: name) WHERE \"id\" = \(id)")
    }

    /// Deletes the rows of a run.
    ///
    /// - Throws: `SQLiteError`.
    package static func delete(run: Int, on connection: Connection) throws {
        guard try exists(on: connection) else { return }
        try connection.execute("DELETE FROM \(identifier: name) WHERE \"run\" = \(run)")
    }

    /// The reject with a key; nil if it was deleted.
    ///
    /// - Throws: `SQLiteError`.
    package static func row(_ id: Int64, on connection: Connection) throws -> RejectedRecord? {
        try rows(where: "\"id\" = \(id)", limit: 1, on: connection).first
    }

    /// The next rejects after a key, of one run or of all: at most `limit`, and none once they have `maxBytes` bytes.
    ///
    /// - Throws: `SQLiteError`.
    package static func page(
        after id: Int64, run: Int?, limit: Int = 1000, bytes maxBytes: Int = 1 << 20, on connection: Connection
    ) throws -> [RejectedRecord] {
        let isOfRun: SQLFragment = if let run { "\"run\" = \(run) AND " } else { "" }
        let condition = isOfRun + "\"id\" > \(id) ORDER BY \"id\""
        return try rows(where: condition, limit: limit, bytes: maxBytes, on: connection)
    }

    /// The number of rejects, of one run or of all.
    ///
    /// - Throws: `SQLiteError`.
    package static func count(run: Int? = nil, on connection: Connection) throws -> Int {
        guard try exists(on: connection) else { return 0 }
        let isOfRun: SQLFragment = if let run { " WHERE \"run\" = \(run)" } else { "" }
        guard case .integer(let count) = try connection.value(of: "SELECT count(*) FROM \(identifier: name)" + isOfRun)
        else { return 0 }
        return Int(count)
    }

    /// The number of rejects of each run that has some.
    ///
    /// - Throws: `SQLiteError`.
    package static func counts(on connection: Connection) throws -> [Int: Int] {
        guard try exists(on: connection) else { return [:] }
        var counts: [Int: Int] = [:]
        try connection.forEachRow(of: "SELECT \"run\", count(*) FROM \(identifier: name) GROUP BY \"run\"") { row in
            counts[Int(row.integer(at: 0))] = Int(row.integer(at: 1))
        }
        return counts
    }

    private static func exists(on connection: Connection) throws -> Bool {
        try connection.hasTable(name)
    }

    private static func rows(
        where condition: SQLFragment, limit: Int, bytes maxBytes: Int = .max, on connection: Connection
    ) throws -> [RejectedRecord] {
        guard try exists(on: connection) else { return [] }
        let list = SQLFragment(trusted: "\"id\", " + list)
        let query: SQLFragment = "SELECT \(list) FROM \(identifier: name) WHERE \(condition) LIMIT \(limit)"
        var rejects: [RejectedRecord] = []
        var bytes = 0
        try connection.withStatement(query) { statement in
            while bytes < maxBytes, try statement.step() {
                let reject = reject(statement)
                bytes += reject.raw.count
                rejects.append(reject)
            }
        }
        return rejects
    }

    private static func values(of reject: RejectedRecord) -> [SQLValue] {
        func number(_ value: Int?) -> SQLValue { value.map { .integer(Int64($0)) } ?? .null }
        func text(_ value: String?) -> SQLValue { value.map { .text($0) } ?? .null }
        return [
            number(reject.run), text(reject.entity), text(reject.at), text(reject.key), text(reject.keyName),
            text(reject.file), number(reject.byte), number(reject.line), number(reject.column), number(reject.record),
            text(reject.path), .text(reject.code), .text(reject.reason), number(reject.start), number(reject.length),
            .blob(reject.raw),
        ]
    }

    private static func reject(_ row: borrowing Statement) -> RejectedRecord {
        func number(_ column: Int) -> Int? { row.isNull(at: column) ? nil : Int(row.integer(at: column)) }
        func text(_ column: Int) -> String? { row.isNull(at: column) ? nil : row.text(at: column) }
        var reject = RejectedRecord()
        (reject.id, reject.run) = (row.integer(at: 0), number(1) ?? 0)
        (reject.entity, reject.at, reject.key, reject.keyName) = (text(2), text(3), text(4), text(5))
        (reject.file, reject.byte, reject.line, reject.column) = (text(6), number(7), number(8), number(9))
        (reject.record, reject.path, reject.code, reject.reason) = (
            number(10), text(11), row.text(at: 12), row.text(at: 13)
        )
        (reject.start, reject.length) = (number(14) ?? 0, number(15) ?? 0)
        reject.raw = row.withBlob(at: 16) { Array($0) }
        return reject
    }
}
