import CTributarySQLite
import TributaryPlatform

/// One connection to a database.
///
/// Functions that are given a connection throw `SQLiteError`, and may name only what else they throw.
///
/// It belongs to one queue or thread at a time. Exactly one connection of a process may write to a database and
/// checkpoint it; all others are opened read-only.
public final class Connection {
    /// The options of a connection.
    public struct Options: Sendable {
        /// Whether the database cannot be written.
        public var isReadOnly = false
        /// The time to wait for a lock, in milliseconds.
        public var busyTimeout = 5000
        /// The memory for the page cache, in KiB.
        public var cacheKiB = 16 << 10
        /// The number of cached statements.
        public var cachedStatements = 128
        /// Whether foreign keys are enforced.
        public var enforcesForeignKeys = true

        /// The defaults.
        public init() {}
    }

    /// The location of a database.
    public enum Location: Sendable, Hashable {
        /// A file.
        case file(String)
        /// Memory of this connection alone.
        case memory
        /// Memory that the connections of this process share by a name.
        case sharedMemory(String)
    }

    /// The name of the database for messages.
    public let name: String
    /// The options of the connection.
    public let options: Options
    let handle: OpaquePointer
    private var cache: StatementCache
    private var traceBox: CallbackBox<@Sendable (TraceEvent) -> Void>?
    /// The condition that ends statements.
    var interruption: CallbackBox<() -> Bool>?
    /// The tables with triggers in a version of the schema.
    var triggered: (version: SQLValue?, tables: Set<String>)?
    package let log = WriteAheadLog()
    /// The table of keys for queries to join.
    package let keys = KeyTable()
    /// The table of rows for insertions.
    package let rows = RowTable()

    /// Opens a database; one that does not exist is created, unless the connection is read-only.
    ///
    /// - Throws: `SQLiteError`.
    public init(_ location: Location, options: Options = Options()) throws {
        self.options = options
        let path: String
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        switch location {
        case .file(let file):
            // SQLite would truncate the name at U+0000, and open a temporary database for an empty name.
            guard !file.isEmpty, !file.utf8.contains(0) else {
                throw SQLiteError(
                    .cannotOpen, file.isEmpty ? "the file name is empty" : "the file name contains U+0000",
                    database: file, hint: "choose another name")
            }
            // SQLite would wait for the other end of a pipe.
            var status = stat()
            let kinds = [S_IFREG, S_IFDIR]
            guard stat(file, &status) != 0 || kinds.contains(status.st_mode & S_IFMT) else {
                throw SQLiteError(
                    .cannotOpen, "it is not a regular file", database: file, hint: "choose another file")
            }
            // SQLite takes such names for something else than a file.
            let plain = file == ":memory:" || file.hasPrefix("file:") ? "./\(file)" : file
            let uri = options.isReadOnly ? try UnwritableFolder.uri(of: plain) : nil
            if uri != nil { flags |= SQLITE_OPEN_URI }
            path = uri ?? plain
            name = file
        case .memory:
            path = ":memory:"
            name = "a database in memory"
        case .sharedMemory(let key):
            // Connections can read a database of the VFS `memdb` while another one writes it.
            path = "file:/\(key)?vfs=memdb"
            name = "the database \(key) in memory"
            flags |= SQLITE_OPEN_URI
        }
        flags |= options.isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        var opened: OpaquePointer?
        let result = sqlite3_open_v2(path, &opened, flags, nil)
        guard result == SQLITE_OK, let opened else {
            defer { sqlite3_close_v2(opened) }
            throw SQLiteError(result, of: opened, sql: nil, database: name)
        }
        handle = opened
        cache = StatementCache(capacity: options.cachedStatements)
        try configure()
    }

    deinit {
        cache.removeAll()
        // A statement that is still in use keeps the handle open, but not `log` and the condition, which hooks use.
        sqlite3_wal_hook(handle, nil, nil)
        sqlite3_progress_handler(handle, 0, nil, nil)
        sqlite3_close_v2(handle)
    }

    /// Lets statements run triggers and views of the schema, also into virtual tables, until it is called with false.
    package func setUsesSchemaCode(_ isAllowed: Bool) {
        let options = [
            SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_TRUSTED_SCHEMA,
            SQLITE_DBCONFIG_DQS_DML, SQLITE_DBCONFIG_DQS_DDL,
        ]
        for option in options { _ = tributary_sqlite_configure(handle, Int32(option), isAllowed ? 1 : 0) }
        // A trigger may cause another one, but not the same one.
        sqlite3_limit(handle, SQLITE_LIMIT_TRIGGER_DEPTH, isAllowed ? 100 : 1)
        clearStatements()
    }

    /// Protects against hostile database files; see "Defense against the dark arts" in SQLite's documentation.
    private func configure() throws {
        sqlite3_busy_timeout(handle, Int32(options.busyTimeout))
        let switches = [
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0), (SQLITE_DBCONFIG_DQS_DML, 0),
            (SQLITE_DBCONFIG_DQS_DDL, 0), (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
            (SQLITE_DBCONFIG_ENABLE_FKEY, options.enforcesForeignKeys ? 1 : 0),
        ]
        for (option, value) in switches {
            guard tributary_sqlite_configure(handle, Int32(option), Int32(value)) == SQLITE_OK else {
                throw SQLiteError(.misuse, "this SQLite lacks setting \(option)", database: name)
            }
        }
        for result in [keys.register(on: handle), rows.register(on: handle)] where result != SQLITE_OK {
            throw SQLiteError(result, of: handle, sql: nil, database: name)
        }
        sqlite3_limit(handle, SQLITE_LIMIT_TRIGGER_DEPTH, 1)
        // Exactly one connection checkpoints the write-ahead log.
        if options.isReadOnly {
            sqlite3_wal_autocheckpoint(handle, 0)
        } else {
            sqlite3_wal_hook(
                handle,
                { context, handle, _, pages in
                    let log = context.map { Unmanaged<WriteAheadLog>.fromOpaque($0).takeUnretainedValue() }
                    log?.endCommit(handle, pages: pages)
                    return SQLITE_OK
                }, Unmanaged.passUnretained(log).toOpaque())
        }
        try execute("PRAGMA mmap_size = 0")
        try execute("PRAGMA cell_size_check = ON")
        try execute(SQLFragment(trusted: "PRAGMA cache_size = -\(options.cacheKiB)"))
    }

    // MARK: Statements

    /// Compiles one statement, which is not cached.
    ///
    /// - Throws: `SQLiteError`, with the SQL.
    public func prepare(_ sql: String) throws -> Statement { try Statement(sql, of: self) }

    /// Compiles one statement, which is not cached, and binds its values; its rows are read by steps.
    package func statement(of fragment: SQLFragment) throws -> Statement {
        let statement = try prepare(fragment.text)
        try statement.bind(fragment.bindings)
        return statement
    }

    /// Calls `body` with a statement whose values are bound; the statement is cached afterwards.
    ///
    /// - Throws: `SQLiteError`, or the error of `body`.
    public func withStatement<Result>(
        _ fragment: SQLFragment, _ body: (borrowing Statement) throws -> Result
    ) throws -> Result {
        try withUnboundStatement(fragment.text) { statement in
            try statement.bind(fragment.bindings)
            return try body(statement)
        }
    }

    /// Calls `body` with a statement whose values `body` binds; the statement is cached afterwards.
    ///
    /// - Throws: `SQLiteError`, or the error of `body`.
    public func withUnboundStatement<Result>(
        _ sql: String, _ body: (borrowing Statement) throws -> Result
    ) throws -> Result {
        let statement = try cache.remove(sql) ?? prepare(sql)
        defer {
            statement.reset()
            cache.insert(statement)
        }
        return try body(statement)
    }

    /// Runs one statement to its end; its rows are ignored.
    ///
    /// - Throws: `SQLiteError`.
    public func execute(_ fragment: SQLFragment) throws {
        try withStatement(fragment) { statement in while try statement.step() {} }
    }

    /// Calls `body` for each row of a query.
    ///
    /// - Throws: `SQLiteError`, or the error of `body`.
    public func forEachRow(of query: SQLFragment, _ body: (borrowing Statement) throws -> Void) throws {
        try withStatement(query) { statement in while try statement.step() { try body(statement) } }
    }

    /// The values of all rows of a query.
    ///
    /// - Throws: `SQLiteError`.
    public func rows(of query: SQLFragment) throws -> [[SQLValue]] {
        try rows(of: query) { row in (0..<row.columnCount).map { row.value(at: $0) } }
    }

    /// The results of `body` for the rows of a query.
    @inlinable
    package func rows<Row>(of query: SQLFragment, _ body: (borrowing Statement) throws -> Row) throws -> [Row] {
        var rows: [Row] = []
        try forEachRow(of: query) { rows.append(try body($0)) }
        return rows
    }

    /// The texts in the first column of a query.
    package func texts(of query: SQLFragment) throws -> [String] { try rows(of: query) { $0.text(at: 0) } }

    /// The first value of the first row; nil if there is no row.
    ///
    /// - Throws: `SQLiteError`.
    public func value(of query: SQLFragment) throws -> SQLValue? {
        // `nil` alone would be a value of null.
        try withStatement(query) { statement in try statement.step() ? statement.value(at: 0) : SQLValue?.none }
    }

    /// Whether a query has any row.
    ///
    /// - Throws: `SQLiteError`.
    public func hasRows(_ query: SQLFragment) throws -> Bool { try withStatement(query) { try $0.step() } }

    /// Removes all cached statements, as before a change of the schema.
    public func clearStatements() { cache.removeAll() }

    // MARK: State

    /// The number of rows that the latest statement changed.
    public var changeCount: Int { Int(sqlite3_changes64(handle)) }
    /// Whether a transaction is open.
    public var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Calls `handler` when a statement starts and when it has ended; nil ends the trace.
    public func trace(_ handler: (@Sendable (TraceEvent) -> Void)?) {
        traceBox = handler.map { CallbackBox($0) }
        guard let traceBox else {
            sqlite3_trace_v2(handle, 0, nil, nil)
            return
        }
        let events = UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE)
        sqlite3_trace_v2(
            handle, events,
            { event, context, statement, detail in
                guard let context, let statement, let text = sqlite3_sql(OpaquePointer(statement)) else { return 0 }
                // The detail is the duration in nanoseconds if the statement has ended.
                let end = Int32(event) == SQLITE_TRACE_PROFILE ? detail : nil
                let duration = end.map { Duration.nanoseconds($0.load(as: Int64.self)) }
                let handler = CallbackBox<@Sendable (TraceEvent) -> Void>.value(at: context)
                handler(TraceEvent(sql: String(cString: text), duration: duration))
                return 0
            }, Unmanaged.passUnretained(traceBox).toOpaque())
    }
}
