package import TributarySQLite

/// Indexes that were dropped for a first load and must be created before another writer writes.
///
/// Their SQL is stored in the metadata in the transaction that drops them, so they are never lost.
package enum DeferredIndexes {
    private static let prefix = "index "

    /// Drops all indexes of a table for a run that fills it, and remembers them.
    static func remove(of table: String, for run: Int, on connection: Connection) throws {
        var indexes: [(name: String, sql: String)] = []
        let query: SQLFragment =
            "SELECT \"name\", \"sql\" FROM sqlite_master WHERE \"type\" = 'index' AND \"tbl_name\" = \(table) AND \"sql\" NOT NULL"
        try connection.forEachRow(of: query) { row in indexes.append((row.text(at: 0), row.text(at: 1))) }
        // The entry without a name holds the run; it exists even if the table has no index.
        for index in [(name: "", sql: "\(run)")] + indexes {
            try connection.execute(
                """
                INSERT INTO \(identifier: Schema.metadata) ("key", "value")
                VALUES (\("\(prefix)\(table)\u{1F}\(index.name)"), \(index.sql))
                """)
            guard !index.name.isEmpty else { continue }
            try connection.execute("DROP INDEX \(identifier: index.name)")
        }
        connection.clearStatements()
    }

    /// The names of the deferred indexes, of one table or of all.
    package static func names(of table: String? = nil, on connection: Connection) throws -> [String] {
        try all(table, connection).map(\.name).filter { !$0.isEmpty }
    }

    /// The run that fills a table without indexes; nil if there is none.
    package static func run(of table: String, on connection: Connection) throws -> Int? {
        try all(table, connection).first { $0.name.isEmpty }.flatMap { Int($0.sql) }
    }

    /// Whether any table is being filled without indexes.
    static func exist(on connection: Connection) throws -> Bool { try !all(nil, connection).isEmpty }

    /// Creates the deferred indexes, of one table or of all.
    ///
    /// - Throws: `SQLiteError`; with the code `uniqueConstraint` if another program has written a value twice.
    package static func make(of table: String? = nil, on connection: Connection) throws {
        let indexes = try all(table, connection)
        guard !indexes.isEmpty else { return }
        let missing = indexes.filter { !$0.name.isEmpty }
        if !missing.isEmpty {
            try sorting(on: connection) {
                // The text is the SQL that SQLite stored for an index of this library.
                for index in missing { try connection.execute(SQLFragment(trusted: index.sql)) }
            }
        }
        for index in indexes {
            try connection.execute("DELETE FROM \(identifier: Schema.metadata) WHERE \"key\" = \(index.key)")
        }
        connection.clearStatements()
    }

    /// Forgets the deferred indexes of a deleted table.
    ///
    /// - Throws: `SQLiteError`.
    static func forget(of table: String, on connection: Connection) throws {
        for index in try all(table, connection) {
            try connection.execute("DELETE FROM \(identifier: Schema.metadata) WHERE \"key\" = \(index.key)")
        }
    }

    /// The memory in which SQLite sorts.
    ///
    /// It sorts linked lists, which takes half the time if they fit into the cache of the processor. Merging many
    /// sorted parts from temporary files costs little.
    private static let sorterKiB = 1500

    /// Calls `body` while SQLite sorts with several threads and little memory.
    private static func sorting(on connection: Connection, _ body: () throws -> Void) throws {
        guard case .integer(let pages)? = try connection.value(of: "PRAGMA cache_size") else { return try body() }
        defer {
            try? connection.execute("PRAGMA threads = 0")
            try? connection.execute(SQLFragment(trusted: "PRAGMA cache_size = \(pages)"))
        }
        try connection.execute(SQLFragment(trusted: "PRAGMA cache_size = -\(sorterKiB)"))
        try connection.execute("PRAGMA threads = 2")
        try body()
    }

    private static func all(
        _ table: String?, _ connection: Connection
    ) throws -> [(key: String, name: String, sql: String)] {
        var indexes: [(key: String, name: String, sql: String)] = []
        let start = prefix + (table.map { $0 + "\u{1F}" } ?? "")
        let query: SQLFragment =
            """
            SELECT "key", "value" FROM \(identifier: Schema.metadata)
            WHERE substr("key", 1, length(\(start))) = \(start) ORDER BY "key"
            """
        try connection.forEachRow(of: query) { row in
            let key = row.text(at: 0)
            let name =
                key.split(separator: "\u{1F}", maxSplits: 1, omittingEmptySubsequences: false).last.map(String.init)
                ?? key
            indexes.append((key, name, row.text(at: 1)))
        }
        return indexes
    }
}
