package import TributarySQLite

/// The table of the rows that were seen: for each feed, run and entity the keys of the rows, as blocks of bits.
///
/// The rows themselves are not changed by a mark. The marks of contexts have the empty feed, and a number of their launch
/// as the run. The table is created with the first mark. No function begins a transaction: a mark belongs to the transaction of its row.
package enum MarkTable {
    static let name = "_mark"
    /// The feed of the marks of contexts.
    package static let contextFeed = ""

    /// Adds keys to the marks of an entity.
    package static func add(
        _ keys: KeyBitmap, feed: String, run: Int, entity: String, on connection: Connection
    ) throws {
        guard !keys.isEmpty else { return }
        // If the table exists, SQLite finds its name in memory.
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(identifier: name) ("feed" TEXT NOT NULL, "run" INTEGER NOT NULL,
            "entity" TEXT NOT NULL, "block" INTEGER NOT NULL, "bits" BLOB NOT NULL,
            PRIMARY KEY ("feed", "run", "entity", "block")) WITHOUT ROWID
            """)
        for number in keys.blockNumbers {
            guard let added = keys[block: number] else { continue }
            let condition = isOf(feed, run, entity) + " AND \"block\" = \(number)"
            var union = KeyBitmap(block: number, added)
            try connection.forEachRow(of: "SELECT \"bits\" FROM \(identifier: name) WHERE \(condition)") { row in
                union.formUnion(block: number, try bits(of: row, at: 0, connection))
            }
            try connection.execute(
                """
                INSERT OR REPLACE INTO \(identifier: name) ("feed", "run", "entity", "block", "bits")
                VALUES (\(feed), \(run), \(entity), \(number), \(SQLValue.blob(union[block: number] ?? added)))
                """)
        }
    }

    /// Removes keys from the marks of an entity.
    package static func remove(
        _ keys: KeyBitmap, feed: String, run: Int, entity: String, on connection: Connection
    ) throws {
        guard try connection.hasTable(name) else { return }
        for number in keys.blockNumbers {
            let condition = isOf(feed, run, entity) + " AND \"block\" = \(number)"
            var rest: KeyBitmap?
            try connection.forEachRow(of: "SELECT \"bits\" FROM \(identifier: name) WHERE \(condition)") { row in
                var marked = KeyBitmap(block: number, try bits(of: row, at: 0, connection))
                marked.subtract(block: number, keys[block: number] ?? [])
                rest = marked
            }
            guard let rest else { continue }
            if let bits = rest[block: number] {
                let value = SQLValue.blob(bits)
                try connection.execute("UPDATE \(identifier: name) SET \"bits\" = \(value) WHERE \(condition)")
            } else {
                try connection.execute("DELETE FROM \(identifier: name) WHERE \(condition)")
            }
        }
    }

    /// The entities that have marks of one run or all, by name.
    package static func entities(feed: String, run: Int? = nil, on connection: Connection) throws -> [String] {
        guard try connection.hasTable(name) else { return [] }
        var condition: SQLFragment = "\"feed\" = \(feed)"
        if let run { condition += " AND \"run\" = \(run)" }
        return try connection.texts(
            of: "SELECT DISTINCT \"entity\" FROM \(identifier: name) WHERE \(condition) ORDER BY \"entity\"")
    }

    /// The marked keys of an entity, of one run or all.
    package static func keys(feed: String, run: Int?, entity: String, on connection: Connection) throws -> KeyBitmap {
        var keys = KeyBitmap()
        try forEachBlock(feed: feed, run: run, entity: entity, on: connection) { keys.formUnion(block: $0, $1) }
        return keys
    }

    /// Calls `body` with the number and the bytes of each block of an entity, in ascending order; of one run or all.
    package static func forEachBlock(
        feed: String, run: Int?, entity: String, on connection: Connection, _ body: (Int64, [UInt8]) throws -> Void
    ) throws {
        guard try connection.hasTable(name) else { return }
        let query: SQLFragment = """
            SELECT "block", "bits" FROM \(identifier: name) WHERE \(isOf(feed, run, entity)) ORDER BY "block"
            """
        try connection.forEachRow(of: query) { row in
            try body(row.integer(at: 0), try bits(of: row, at: 1, connection))
        }
    }

    /// Removes the marks of a feed or all, of one run, of all or all but one, and of one entity or all.
    package static func remove(
        feed: String? = nil, run: Int? = nil, besides other: Int? = nil, entity: String? = nil,
        on connection: Connection
    ) throws {
        guard try connection.hasTable(name) else { return }
        let conditions: [SQLFragment?] = [
            feed.map { "\"feed\" = \($0)" }, run.map { "\"run\" = \($0)" }, other.map { "\"run\" <> \($0)" },
            entity.map { "\"entity\" = \($0)" },
        ]
        try connection.execute(
            "DELETE FROM \(identifier: name) WHERE \(conditions.compactMap(\.self), separator: " AND ")")
    }

    private static func isOf(_ feed: String, _ run: Int?, _ entity: String) -> SQLFragment {
        let condition: SQLFragment = "\"feed\" = \(feed) AND \"entity\" = \(entity)"
        return run.map { condition + " AND \"run\" = \($0)" } ?? condition
    }

    static func bits(of row: borrowing Statement, at column: Int, _ connection: Connection) throws -> [UInt8] {
        let bytes = row.isNull(at: column) ? [] : row.withBlob(at: column) { Array($0) }
        guard bytes.count == KeyBitmap.bytesInBlock else {
            throw StoreError(
                .damaged, connection.name,
                "a block of marks in the table \(name) has \(bytes.count) bytes, not \(KeyBitmap.bytesInBlock)",
                hint: "forget all marks, or delete the table, and mark the objects again")
        }
        return bytes
    }
}
