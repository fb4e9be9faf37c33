package import Foundation
import Synchronization
package import TributaryConcurrency
package import TributarySQLite

/// A store of objects in SQLite, with one writing connection and several reading ones.
///
/// A mutex serializes the writes of the process. The first write also locks the file, so no other process can write
/// until the store is closed.
package final class SQLiteStore: Sendable {
    struct Writer {
        /// Nil when the store is closed.
        var connection: Connection?
        var lock: WriterLock?
        /// Whether a worker thread was started to checkpoint the log, and has not begun.
        var hasPendingCheckpoint = false
    }

    /// The model the store was opened with.
    package let model: Model
    package let schema: Schema
    private let configuration: String?
    /// The name of the store in messages.
    package let name: String
    /// The ID of the store, which does not change when the file is moved.
    package let id: UUID
    let location: StoreLocation
    /// The file of a database that has no name yet; see ``StoreOptions/creation``.
    private let unpublished: Guarded<String?>
    /// Whether this store has created that file.
    let isCreatedUnpublished: Bool
    let options: StoreOptions
    /// Whether another program made the database, whose other tables and settings stay as they are.
    package let isForeignDatabase: Bool
    /// Whether the store has a write-ahead log, so that other connections can read during a write.
    package let allowsConcurrentReads: Bool
    /// The name by which connections share a store in memory.
    private let memoryKey = "tributary-\(UUID())"
    private let writer: Guarded<Writer>
    /// The number of threads that wait for the writer.
    private let waiting = Atomic<Int>(0)
    /// Nil when the store is closed.
    private let idleReaders = Guarded<[Connection]?>([])
    /// Counts the beginnings and ends of replacing the file: a reader of an earlier one is not used again.
    private let generation = Atomic<Int>(0)
    /// The indexes of the entities whose rows were in the order of the records in the latest lookup of keys.
    package let inOrder = Guarded<Set<Int>>([])

    /// A number that differs each time the store is opened, for the marks of contexts.
    package let launch = Int.random(in: 1...Int.max)

    /// The number of imports in progress, the size of the page cache before them, and the numbers of their runs.
    let imports = Guarded<(count: Int, earlier: Int64?, runs: Set<Int>)>((0, nil, []))

    /// Opens a store for the entities of a configuration, and creates it if it does not exist.
    package init(
        _ model: Model, configuration: String? = nil, at location: StoreLocation, options: StoreOptions = StoreOptions()
    ) throws {
        self.model = model
        self.location = location
        self.options = options
        self.configuration = configuration
        schema = Schema(model, configuration: configuration)
        var (file, unpublishedFile) = (location, String?.none)
        if case .sqlite(let path) = location {
            if options.isReadOnly, StoreFiles.existing(of: path) == nil { throw SQLiteStore.missing(path) }
            unpublishedFile = try SQLiteStore.unpublishedFile(toOpen: path, options)
            if let unpublishedFile { file = .sqlite(unpublishedFile) }
        }
        unpublished = Guarded(unpublishedFile)
        isCreatedUnpublished = unpublishedFile.map { !StoreFiles.exists($0) } ?? false
        let connection: Connection
        do {
            var lock: WriterLock?
            if unpublishedFile != nil, !options.isReadOnly, case .sqlite(let path) = location {
                // The file is replaced and renamed, so no other process may open it for writing meanwhile.
                lock = try WriterLock(database: path)
            }
            connection = try SQLiteStore.connection(file, memoryKey, options, isReader: options.isReadOnly)
            name = if case .sqlite(let path) = location { path } else { connection.name }
            let identity = try SQLiteStore.prepare(connection, schema, configuration, location, options, &lock)
            (id, isForeignDatabase) = (identity.id, identity.isForeignDatabase)
            allowsConcurrentReads = try SQLiteStore.configureJournal(
                connection, location, options, isForeignDatabase: identity.isForeignDatabase)
            // The triggers of a table run, whichever part of the program writes it; those of a migration do not.
            if !options.isReadOnly { connection.setUsesSchemaCode(true) }
            writer = Guarded(Writer(connection: connection, lock: lock))
        } catch let error as SQLiteError {
            throw StoreError.explaining(error, at: location)
        }
    }

    /// Checks that the database is a store for the model, or creates the store if the database is empty.
    private static func prepare(
        _ connection: Connection, _ schema: Schema, _ configuration: String?, _ location: StoreLocation,
        _ options: StoreOptions, _ lock: inout WriterLock?
    ) throws -> StoreIdentity {
        func existingIdentity() throws -> StoreIdentity? {
            guard var identity = try StoreIdentity(of: connection) else { return nil }
            if options.migration.isAutomatic, !options.isReadOnly,
                !identity.isOf(schema.model, configuration: configuration), case .sqlite(let path) = location
            {
                if lock == nil { lock = try WriterLock(database: path) }
                try StoreMigration(connection: connection, configuration: configuration, options: options.migration)
                    .migrate(to: schema.model)
                identity = try StoreIdentity(of: connection) ?? identity
            }
            try identity.check(schema.model, configuration: configuration, store: connection.name)
            return identity
        }
        if let identity = try existingIdentity() { return identity }
        guard !options.isReadOnly else {
            throw missing(connection.name)
        }
        if case .sqlite(let path) = location {
            if lock == nil { lock = try WriterLock(database: path) }
            // Another process may have created it before the lock was acquired.
            if let identity = try existingIdentity() { return identity }
        }
        var identity = StoreIdentity(schema.model, configuration: configuration)
        // Pages of twice the default size halve the number of write calls.
        try connection.execute("PRAGMA page_size = 8192")
        try connection.transaction {
            identity.isForeignDatabase = try connection.hasRows("SELECT 1 FROM sqlite_master LIMIT 1")
            if identity.isForeignDatabase {
                try schema.checkNames(on: connection)
            } else {
                try connection.execute(
                    SQLFragment(trusted: "PRAGMA application_id = \(StoreIdentity.applicationID)"))
            }
            for statement in schema.creation() { try connection.execute(statement) }
            try identity.write(to: connection)
            try StoredModel.write(schema.model.declaration, on: connection)
        }
        return identity
    }

    /// Sets the journal mode and the level of synchronization; true if the database has a write-ahead log.
    private static func configureJournal(
        _ connection: Connection, _ location: StoreLocation, _ options: StoreOptions, isForeignDatabase: Bool
    ) throws -> Bool {
        guard case .sqlite = location else { return false }
        var kind = try connection.value(of: "PRAGMA journal_mode")
        if options.usesWriteAheadLog, !isForeignDatabase, !options.isReadOnly, kind != .text("wal") {
            // The mode does not change if the file system cannot have a log, or another connection is reading.
            kind = (try? connection.value(of: "PRAGMA journal_mode = WAL")) ?? kind
        }
        let hasLog = kind == .text("wal")
        guard !options.isReadOnly else { return hasLog }
        if options.isDurable {
            // Without a log, the deletion of the journal is the commit, and FULL alone does not sync it.
            try connection.execute("PRAGMA synchronous = EXTRA")
        } else {
            try connection.execute(hasLog ? "PRAGMA synchronous = NORMAL" : "PRAGMA synchronous = FULL")
        }
        return hasLog
    }

    private static func missing(_ name: String) -> StoreError {
        StoreError(.missing, name, "the store does not exist", hint: "open it for writing to create it")
    }

    private static func connection(
        _ location: StoreLocation, _ memoryKey: String, _ options: StoreOptions, isReader: Bool
    ) throws -> Connection {
        var opening = Connection.Options()
        opening.busyTimeout = Int(max(0, min(options.lockTimeout, 86_400)) * 1000)
        opening.cacheKiB = isReader ? 8 << 10 : options.cacheKiB
        let connection: Connection
        switch location {
        case .sqlite(let path):
            opening.isReadOnly = isReader
            connection = try Connection(.file(path), options: opening)
        case .memory:
            connection = try Connection(.sharedMemory(memoryKey), options: opening)
            if isReader { try connection.execute("PRAGMA query_only = ON") }
        }
        try FilterFunctions.define(on: connection)
        connection.trace(options.trace)
        return connection
    }

    // MARK: Reading and writing

    /// Calls `body` with the writing connection, which no other thread uses meanwhile.
    ///
    /// - Throws: `StoreError` if the store is read-only, `SQLiteError`, or the error of `body`.
    package func write<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        if let session = StoreSession.current(of: self) { return try body(try session.writing()) }
        return try writing { writer, connection in
            connection.log.isDeferred = true
            defer {
                connection.log.isDeferred = false
                checkpointLog(&writer, connection)
            }
            return try body(connection)
        }
    }

    /// Checkpoints the log if it is due, on a worker thread, or at once if the previous worker thread has not begun.
    private func checkpointLog(_ writer: inout Writer, _ connection: Connection) {
        guard connection.log.isDue else { return }
        if !writer.hasPendingCheckpoint {
            let started: Void? = try? WorkerThread.start { [shared = self.writer] in
                shared.withLock { writer in
                    writer.hasPendingCheckpoint = false
                    if let connection = writer.connection, connection.log.isDue { connection.checkpoint() }
                }
            }
            writer.hasPendingCheckpoint = started != nil
            if writer.hasPendingCheckpoint { return }
        }
        connection.checkpoint()
    }

    deinit { close() }

    /// Calls `body` as `write` does, for an import, which checkpoints the log by its own rules.
    package func importing<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        try writing { _, connection in try body(connection) }
    }

    /// Whether the database has no name yet.
    package var isUnpublished: Bool { unpublished.withLock { $0 != nil } }

    /// The file of the database.
    private var file: StoreLocation { unpublished.withLock { $0 }.map { .sqlite($0) } ?? location }

    /// Calls `body` of an unpublished store, which closes the writer and returns the file to open then, or nil for the
    /// name of the store.
    func reopening(_ body: (inout Writer, String) throws -> String?) throws {
        try writing { writer, connection in
            guard let file = unpublished.withLock({ $0 }) else { return }
            generation.add(1, ordering: .relaxed)
            idleReaders.withLock { if $0 != nil { $0 = [] } }
            // An import may have set them.
            let (cache, threshold) = (
                try connection.integer(of: "PRAGMA cache_size"), connection.log.threshold
            )
            defer { generation.add(1, ordering: .relaxed) }
            let next = Result { try body(&writer, file) }
            if case .success(let next) = next { unpublished.withLock { $0 = next } }
            if case .failure(let error) = next, writer.connection != nil { throw error }
            let opened = try SQLiteStore.connection(self.file, memoryKey, options, isReader: false)
            _ = try SQLiteStore.configureJournal(opened, location, options, isForeignDatabase: false)
            opened.setUsesSchemaCode(true)
            if let size = cache {
                try opened.execute(SQLFragment(trusted: "PRAGMA cache_size = \(size)"))
            }
            opened.log.threshold = threshold
            writer.connection = opened
            _ = try next.get()
        }
    }

    /// Runs `body`, in which this thread reads and writes the store through a connection from `importing`.
    ///
    /// Contexts then see the uncommitted rows of their import. `limit` limits the operations of setters and hooks.
    package func within<Result>(
        _ connection: Connection, limit: (any StoreLimit)? = nil, _ body: () throws -> Result
    ) rethrows -> Result {
        try StoreSession.with(self, connection, limit, body)
    }

    /// Waits until the threads that wait for the writer have begun to write.
    package func yieldWriter() {
        // A thread that unlocks a mutex and locks it again at once usually gets it before a waiting thread.
        var turns = 0
        while hasWaitingWriters, turns < 10_000 {
            WorkerThread.yield()
            turns += 1
        }
    }

    /// Whether a thread waits for the writer.
    package var hasWaitingWriters: Bool { waiting.load(ordering: .relaxed) > 0 }

    private func writing<Result>(_ body: (inout Writer, Connection) throws -> Result) throws -> Result {
        guard !options.isReadOnly else {
            throw StoreError(.readOnly, name, "it was opened for reading only", hint: "open it for writing")
        }
        waiting.add(1, ordering: .relaxed)
        return try writer.withLock { writer in
            waiting.subtract(1, ordering: .relaxed)
            guard let connection = writer.connection else { throw closed }
            if writer.lock == nil, case .sqlite(let path) = location {
                let lock = try WriterLock(database: path)
                // Another process may have migrated the database since it was opened.
                try StoreIdentity(of: connection)?.check(model, configuration: configuration, store: name)
                writer.lock = lock
            }
            return try body(&writer, connection)
        }
    }

    /// Calls `body` with a reading connection; several threads can read at once, without waiting for the writer.
    package func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        if let session = StoreSession.current(of: self) { return try body(session.reading()) }
        let opened = generation.load(ordering: .relaxed)
        let idle = try idleReaders.withLock { readers in
            guard readers != nil else { throw closed }
            return readers?.popLast()
        }
        let connection = try idle ?? SQLiteStore.connection(file, memoryKey, options, isReader: true)
        defer {
            // The number is odd while the file is replaced.
            let isCurrent = opened.isMultiple(of: 2) && generation.load(ordering: .relaxed) == opened
            if isCurrent { idleReaders.withLock { $0?.append(connection) } }
        }
        return try body(connection)
    }

    /// Opens a reading connection with its own page cache; the caller must release it before the store is closed.
    package func makeReader(cacheKiB: Int) throws -> Connection {
        let connection = try SQLiteStore.connection(file, memoryKey, options, isReader: true)
        try connection.execute(SQLFragment(trusted: "PRAGMA cache_size = -\(cacheKiB)"))
        // The check of all cells of each loaded page protects writes; a lookup reads only the cells that it needs.
        try connection.execute("PRAGMA cell_size_check = OFF")
        return connection
    }

    /// Closes the store after the current write; later uses throw an error.
    package func close() {
        idleReaders.withLock { $0 = nil }
        // An import yields to waiting threads.
        waiting.add(1, ordering: .relaxed)
        defer { waiting.subtract(1, ordering: .relaxed) }
        // The connection must close the file and its log before another process may write.
        writer.withLock { writer in
            if let connection = writer.connection { removeIfUnused(connection) }
            writer.connection = nil
        }
        writer.withLock { $0.lock = nil }
    }

    /// Whether the store is closed.
    package var isClosed: Bool { idleReaders.withLock { $0 == nil } }

    private var closed: StoreError {
        StoreError(
            .missing, name, "the store was closed", hint: "use a new context of the manager, or open it again")
    }
}
