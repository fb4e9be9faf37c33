package import TributarySQLite

/// Records that are held back until the rows of a load are in their table, in feed order, and what is known of rows that
/// may have the key of an earlier one.
package enum PossibleDuplicatesTable {
    static let name = "_duplicate"

    /// What a row of the table is.
    enum Kind: Int64 {
        case record
        /// A record that can only change an existing row.
        case incompleteRecord
        /// Which values the rows of a batch lack.
        case absentValues
        /// Keys of rows of a complete load that have the key of an earlier row.
        case repeatedRows
        /// Those of them whose records are held back, so that the rows are removed from the file.
        case removedRows
    }

    static func create(on connection: Connection) throws {
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(identifier: name) (
                "turn" INTEGER PRIMARY KEY, "run" INTEGER NOT NULL, "table" TEXT NOT NULL, "number" INTEGER NOT NULL, "hash" INTEGER NOT NULL,
                "kind" INTEGER NOT NULL, "origin" TEXT NOT NULL, "row" BLOB NOT NULL)
            """)
    }

    /// Inserts a packed row, or the bytes of a record.
    package static func insert(
        _ bytes: UnsafeRawBufferPointer, hash: UInt64, isIncomplete: Bool = false, primaryKey: Int64,
        origin: String = "", table: String, run: Int, on connection: Connection
    ) throws {
        try insert(
            isIncomplete ? .incompleteRecord : .record, bytes, hash: hash, number: primaryKey, origin: origin,
            table: table, run: run, on: connection)
    }

    /// Inserts bytes with a number, after all others or at a turn.
    static func insert(
        _ kind: Kind, _ bytes: UnsafeRawBufferPointer, hash: UInt64 = 0, number: Int64, origin: String = "",
        table: String, run: Int, turn: Int64? = nil, on connection: Connection
    ) throws {
        let sql = """
            INSERT INTO "_duplicate" ("table", "number", "hash", "kind", "origin", "row", "run", "turn")
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """
        try connection.withUnboundStatement(sql) { statement in
            try statement.bind(table, at: 0)
            try statement.bind(number, at: 1)
            try statement.bind(Int64(bitPattern: hash), at: 2)
            try statement.bind(kind.rawValue, at: 3)
            try statement.bind(origin, at: 4)
            try statement.bind(copying: bytes, at: 5)
            try statement.bind(Int64(run), at: 6)
            try statement.bind(turn.map { .integer($0) } ?? .null, at: 7)
            _ = try statement.step()
        }
    }

    /// Removes and returns the next records that were inserted as bytes, with their primary keys and origins.
    package static func removeNext(
        _ limit: Int, bytes most: Int, of table: String, run: Int, on connection: Connection
    ) throws -> [(primaryKey: Int64, bytes: [UInt8], origin: String)] {
        var records: [(primaryKey: Int64, bytes: [UInt8], origin: String)] = []
        try removeNext(limit, bytes: most, of: table, run: run, on: connection) { row in
            records.append((row.integer(at: 0), row.withBlob(at: 3) { Array($0) }, row.text(at: 2)))
        }
        return records
    }

    /// Removes and returns the next rows, whose ordinals are their primary keys.
    package static func removeNext(
        _ limit: Int, bytes most: Int, of table: BulkTable, run: Int, on connection: Connection
    ) throws -> (batch: RowBatch, origins: [String])? {
        let batch = RowBatch(width: table.columns.count)
        let scratch = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: table.columns.count)
        defer { scratch.deallocate() }
        var origins: [String] = []
        try removeNext(limit, bytes: most, of: table.name, run: run, on: connection) { row in
            row.withBlob(at: 3) {
                batch.add(packed: $0, ordinal: Int(row.integer(at: 0)), isIncomplete: row.integer(at: 1) != 0)
            }
            batch.finish(key: table.key, scratch: scratch)
            origins.append(row.text(at: 2))
        }
        return batch.count > 0 ? (batch, origins) : nil
    }

    /// Calls `body` with the next records in their order, and then deletes them; drops the table if there are none.
    ///
    /// The columns are the primary key, whether the row is incomplete, the origin and the row.
    private static func removeNext(
        _ limit: Int, bytes most: Int, of table: String, run: Int, on connection: Connection,
        _ body: (borrowing Statement) -> Void
    ) throws {
        guard try connection.hasTable(name) else { return }
        let ofTable: SQLFragment =
            " FROM \(identifier: name) WHERE \"run\" = \(run) AND \"table\" = \(table) AND \"kind\" <= 1"
        let columns: SQLFragment = "\"number\", \"kind\", \"origin\", \"row\", \"turn\""
        var (last, bytes): (Int64?, Int) = (nil, 0)
        try connection.withStatement("SELECT \(columns)\(ofTable) ORDER BY \"turn\" LIMIT \(limit)") { row in
            while last == nil || bytes < most, try row.step() {
                last = row.integer(at: 4)
                bytes += row.withBlob(at: 3) { $0.count }
                body(row)
            }
        }
        guard let last else { return try dropIfEmpty(connection) }
        try connection.execute("DELETE\(ofTable) AND \"turn\" <= \(last)")
    }

    private static func dropIfEmpty(_ connection: Connection) throws {
        // The load of another table may still need it.
        guard try LoadRow.all(on: connection).allSatisfy({ $0.state == .published }) else { return }
        guard try TableRows.isEmpty(name, on: connection) else { return }
        try connection.execute("DROP TABLE \(identifier: name)")
        connection.clearStatements()
    }

    /// Deletes the records of a run that will not be resumed, or those of a table.
    package static func deleteRows(run: Int? = nil, table: String? = nil, on connection: Connection) throws {
        guard try connection.hasTable(name) else { return }
        let conditions: [SQLFragment?] = [run.map { "\"run\" = \($0)" }, table.map { "\"table\" = \($0)" }]
        try connection.execute(
            "DELETE FROM \(identifier: name) WHERE \(conditions.compactMap(\.self), separator: " AND ")")
        try dropIfEmpty(connection)
    }

    /// Whether records of a run are held back.
    package static func hasRows(of table: String, run: Int, on connection: Connection) throws -> Bool {
        try connection.hasTable(name)
            && connection.hasRows(
                "SELECT 1 FROM \(identifier: name) WHERE \"run\" = \(run) AND \"table\" = \(table) LIMIT 1")
    }

    /// The first of `count` turns before those of all records that are held back.
    static func firstTurn(of count: Int, on connection: Connection) throws -> Int64 {
        let first = try connection.integer(of: "SELECT MIN(\"turn\") FROM \(identifier: name)")
        return min(first ?? 0, 0) - Int64(count)
    }

    /// Calls `body` with the number and the bytes of what is known of a load, in its order.
    static func forEach(
        _ kind: Kind, of load: LoadRow, on connection: Connection, _ body: (Int64, [UInt8]) throws -> Void
    ) throws {
        guard try connection.hasTable(name) else { return }
        let query: SQLFragment = """
            SELECT "number", "row" FROM \(identifier: name) WHERE \(isOf(kind, load)) ORDER BY "turn"
            """
        try connection.forEachRow(of: query) { row in try body(row.integer(at: 0), row.withBlob(at: 1) { Array($0) }) }
    }

    /// Whether something is known of a load.
    static func has(_ kind: Kind, of load: LoadRow, on connection: Connection) throws -> Bool {
        try connection.hasTable(name)
            && connection.hasRows("SELECT 1 FROM \(identifier: name) WHERE \(isOf(kind, load)) LIMIT 1")
    }

    /// Changes the kind of what is known of a load.
    static func change(_ kind: Kind, to other: Kind, of load: LoadRow, on connection: Connection) throws {
        try connection.execute(
            "UPDATE \(identifier: name) SET \"kind\" = \(other.rawValue) WHERE \(isOf(kind, load))")
    }

    /// Removes what is known of a load.
    static func remove(_ kind: Kind, of load: LoadRow, on connection: Connection) throws {
        guard try connection.hasTable(name) else { return }
        try connection.execute("DELETE FROM \(identifier: name) WHERE \(isOf(kind, load))")
    }

    private static func isOf(_ kind: Kind, _ load: LoadRow) -> SQLFragment {
        "\"run\" = \(load.run) AND \"table\" = \(load.table) AND \"kind\" = \(kind.rawValue)"
    }

    /// Calls `body` with the origin of each held-back record.
    package static func forEachOrigin(
        of table: String, run: Int, on connection: Connection, _ body: (String) -> Void
    ) throws {
        guard try connection.hasTable(name) else { return }
        try connection.forEachRow(
            of: "SELECT \"origin\" FROM \(identifier: name) WHERE \"run\" = \(run) AND \"table\" = \(table)"
        ) { row in body(row.text(at: 0)) }
    }

    /// Calls `body` with the hash of each held-back record.
    static func forEachHash(
        of table: String, run: Int, on connection: Connection, _ body: (UInt64) -> Void
    ) throws {
        guard try connection.hasTable(name) else { return }
        try connection.forEachRow(
            of: """
                SELECT "hash" FROM \(identifier: name) WHERE "run" = \(run) AND "table" = \(table) AND "kind" <= 1
                """
        ) { row in body(UInt64(bitPattern: row.integer(at: 0))) }
    }
}
