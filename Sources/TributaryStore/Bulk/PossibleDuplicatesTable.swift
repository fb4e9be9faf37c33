package import TributarySQLite

/// Records that are held back until the rows of a load are in their table, in feed order.
package enum PossibleDuplicatesTable {
    static let name = "_duplicate"

    static func create(on connection: Connection) throws {
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(identifier: name) (
                "turn" INTEGER PRIMARY KEY, "run" INTEGER NOT NULL, "table" TEXT NOT NULL, "number" INTEGER NOT NULL, "hash" INTEGER NOT NULL,
                "incomplete" INTEGER NOT NULL, "origin" TEXT NOT NULL, "row" BLOB NOT NULL)
            """)
    }

    /// Inserts a row.
    static func insert(
        _ packed: UnsafeRawBufferPointer, _ entry: RowBatch.Entry, primaryKey: Int64, origin: String,
        table: String, run: Int, on connection: Connection
    ) throws {
        let sql = """
            INSERT INTO "_duplicate" ("table", "number", "hash", "incomplete", "origin", "row", "run") VALUES (?, ?, ?, ?, ?, ?, ?)
            """
        try connection.withUnboundStatement(sql) { statement in
            try statement.bind(table, at: 0)
            try statement.bind(primaryKey, at: 1)
            try statement.bind(Int64(bitPattern: entry.hash), at: 2)
            try statement.bind(entry.isIncomplete ? 1 : 0 as Int64, at: 3)
            try statement.bind(origin, at: 4)
            try statement.bind(copying: packed, at: 5)
            try statement.bind(Int64(run), at: 6)
            _ = try statement.step()
        }
    }

    /// Inserts the bytes of a record.
    package static func insert(
        _ bytes: UnsafeRawBufferPointer, hash: UInt64, primaryKey: Int64, table: String, run: Int,
        on connection: Connection
    ) throws {
        var entry = RowBatch.Entry(start: 0, ordinal: 0)
        entry.hash = hash
        try insert(bytes, entry, primaryKey: primaryKey, origin: "", table: table, run: run, on: connection)
    }

    /// Removes and returns the next records that were inserted as bytes, with their primary keys.
    package static func removeNext(
        _ limit: Int, bytes most: Int, of table: String, run: Int, on connection: Connection
    ) throws -> [(primaryKey: Int64, bytes: [UInt8])] {
        guard try connection.hasTable(name) else { return [] }
        var records: [(primaryKey: Int64, bytes: [UInt8])] = []
        var last: Int64 = 0
        var bytes = 0
        try forEach(of: table, run: run, limit, on: connection) { row in
            last = row.integer(at: 0)
            let record = row.withBlob(at: 4) { Array($0) }
            bytes += record.count
            records.append((row.integer(at: 1), record))
            return bytes < most
        }
        try finishRemoval(records.count, upTo: last, of: table, run: run, on: connection)
        return records
    }

    /// Calls `body` with the next records in their order until it returns false: the columns are the position in this
    /// table, the primary key, whether the row is incomplete, the origin and the row.
    private static func forEach(
        of table: String, run: Int, _ limit: Int, on connection: Connection, _ body: (borrowing Statement) -> Bool
    ) throws {
        let sql = """
            SELECT "turn", "number", "incomplete", "origin", "row" FROM "_duplicate" WHERE "run" = ? AND "table" = ?
            ORDER BY "turn" LIMIT ?
            """
        try connection.withUnboundStatement(sql) { statement in
            try statement.bind(Int64(run), at: 0)
            try statement.bind(table, at: 1)
            try statement.bind(Int64(limit), at: 2)
            while try statement.step(), body(statement) {}
        }
    }

    /// Deletes the returned records; drops the table if nothing is left.
    private static func finishRemoval(
        _ count: Int, upTo last: Int64, of table: String, run: Int, on connection: Connection
    ) throws {
        if count > 0 {
            try connection.execute(
                """
                DELETE FROM \(identifier: name)
                WHERE "run" = \(run) AND "table" = \(table) AND "turn" <= \(last)
                """)
        } else {
            try dropIfEmpty(connection)
        }
    }

    private static func dropIfEmpty(_ connection: Connection) throws {
        // The load of another table may still need it.
        guard try LoadRow.all(on: connection).allSatisfy({ $0.state == .published }) else { return }
        guard try !connection.hasRows("SELECT 1 FROM \(identifier: name) LIMIT 1") else { return }
        try connection.execute("DROP TABLE \(identifier: name)")
        connection.clearStatements()
    }

    /// Deletes the records of a run that will not be resumed.
    package static func deleteRows(run: Int, on connection: Connection) throws {
        guard try connection.hasTable(name) else { return }
        try connection.execute("DELETE FROM \(identifier: name) WHERE \"run\" = \(run)")
        try dropIfEmpty(connection)
    }

    /// Deletes the records of a table.
    static func deleteRows(table: String, on connection: Connection) throws {
        guard try connection.hasTable(name) else { return }
        try connection.execute("DELETE FROM \(identifier: name) WHERE \"table\" = \(table)")
        try dropIfEmpty(connection)
    }

    /// Whether records of a run are held back.
    package static func hasRows(of table: String, run: Int, on connection: Connection) throws -> Bool {
        try connection.hasTable(name)
            && connection.hasRows(
                "SELECT 1 FROM \(identifier: name) WHERE \"run\" = \(run) AND \"table\" = \(table) LIMIT 1")
    }

    /// Calls `body` with the hash of each held-back record.
    static func forEachHash(
        of table: String, run: Int, on connection: Connection, _ body: (UInt64) -> Void
    ) throws {
        guard try connection.hasTable(name) else { return }
        try connection.forEachRow(
            of: "SELECT \"hash\" FROM \(identifier: name) WHERE \"run\" = \(run) AND \"table\" = \(table)"
        ) { row in body(UInt64(bitPattern: row.integer(at: 0))) }
    }

    /// Removes and returns the next rows, whose ordinals are their primary keys.
    package static func removeNext(
        _ limit: Int, bytes most: Int, of table: BulkTable, run: Int, on connection: Connection
    ) throws -> (batch: RowBatch, origins: [String])? {
        guard try connection.hasTable(name) else { return nil }
        let batch = RowBatch(width: table.columns.count)
        let scratch = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: table.columns.count)
        defer { scratch.deallocate() }
        var origins: [String] = []
        var last: Int64 = 0
        var bytes = 0
        try forEach(of: table.name, run: run, limit, on: connection) { row in
            last = row.integer(at: 0)
            row.withBlob(at: 4) {
                bytes += $0.count
                batch.add(
                    packed: $0, ordinal: Int(row.integer(at: 1)), isIncomplete: row.integer(at: 2) != 0)
            }
            batch.finish(key: table.key, scratch: scratch)
            origins.append(row.text(at: 3))
            return bytes < most
        }
        try finishRemoval(batch.count, upTo: last, of: table.name, run: run, on: connection)
        return batch.count > 0 ? (batch, origins) : nil
    }
}
