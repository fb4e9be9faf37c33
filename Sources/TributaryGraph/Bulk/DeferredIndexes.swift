package import TributarySQLite

/// Indexes that were taken away for a first load and must be made before anybody else writes.
///
/// What they were stands in the metadata of the store, in the same transaction in which they went; so they are never lost.
package enum DeferredIndexes {
    private static let prefix = "index "

    /// Takes all indexes of a table away, for a run that fills it.
    static func take(of table: String, for run: Int, on connection: Connection) throws {
        var indexes: [(name: String, sql: String)] = []
        let query: SQLFragment =
            "SELECT \"name\", \"sql\" FROM sqlite_master WHERE \"type\" = 'index' AND \"tbl_name\" = \(table) AND \"sql\" NOT NULL"
        try connection.forEachRow(of: query) { row in indexes.append((row.text(at: 0), row.text(at: 1))) }
        // Whose first load it is stands there in any case, even if the table has no index.
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

    /// The names of the indexes that are missing, of one table or of all.
    package static func names(of table: String? = nil, on connection: Connection) throws -> [String] {
        try all(table, connection).map(\.name).filter { !$0.isEmpty }
    }

    /// The run that fills a table without them; nil if there is none.
    package static func run(of table: String, on connection: Connection) throws -> Int? {
        try all(table, connection).first { $0.name.isEmpty }.flatMap { Int($0.sql) }
    }

    /// Whether any table is being filled without them.
    static func exist(on connection: Connection) throws -> Bool { try !all(nil, connection).isEmpty }

    /// Makes them.
    ///
    /// - Throws: `SQLiteError`; with the code `uniqueConstraint` if somebody else has written values twice.
    package static func make(of table: String? = nil, on connection: Connection) throws {
        let indexes = try all(table, connection)
        guard !indexes.isEmpty else { return }
        let missing = indexes.filter { !$0.name.isEmpty }
        if !missing.isEmpty {
            try sorting(on: connection) {
                // The text is what SQLite itself kept of an index of ours.
                for index in missing { try connection.execute(SQLFragment(trusted: index.sql)) }
            }
        }
        for index in indexes {
            try connection.execute("DELETE FROM \(identifier: Schema.metadata) WHERE \"key\" = \(index.key)")
        }
        connection.clearStatements()
    }

    /// Forgets those of a table that is gone.
    ///
    /// - Throws: `SQLiteError`.
    static func forget(of table: String, on connection: Connection) throws {
        for index in try all(table, connection) {
            try connection.execute("DELETE FROM \(identifier: Schema.metadata) WHERE \"key\" = \(index.key)")
        }
    }

    /// What SQLite sorts at a time.
    ///
    /// It sorts lists, whose members lie anywhere in this memory: what the processor has close at hand takes half the time
    /// of what it has not. The rest waits in temporary files, and merging many parts costs little.
    private static let sorterKiB = 1500

    /// Calls `body` while SQLite sorts with further threads and with little memory.
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
        var found: [(key: String, name: String, sql: String)] = []
        let wanted = prefix + (table.map { $0 + "\u{1F}" } ?? "")
        let query: SQLFragment =
            """
            SELECT "key", "value" FROM \(identifier: Schema.metadata)
            WHERE substr("key", 1, length(\(wanted))) = \(wanted) ORDER BY "key"
            """
        try connection.forEachRow(of: query) { row in
            let key = row.text(at: 0)
            let name =
                key.split(separator: "\u{1F}", maxSplits: 1, omittingEmptySubsequences: false).last.map(String.init)
                ?? key
            found.append((key, name, row.text(at: 1)))
        }
        return found
    }
}
