#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

package import TributarySQLite
import Synchronization
import TributaryConcurrency

/// A store of objects on SQLite: one connection that writes, others that read beside it.
///
/// The writer is one for the process and takes its turn behind a lock; the first write takes the lock on the file as
/// well, so that no other process writes until the store is closed.
package final class SQLiteStore: Sendable {
    /// How a store is opened.
    package struct Options: Sendable {
        /// Nothing can be written, and nothing is made.
        package var isReadOnly = false
        /// Memory for pages of the writer, in KiB.
        package var cacheKiB = 64 << 10
        /// Whether changes go to a log beside the file first, so that readers are never in the way.
        package var usesWriteAheadLog = true
        /// Whether a save has reached the disk when it returns, even if the machine loses its power then.
        package var isDurable = false
        /// Told about each statement.
        package var trace: (@Sendable (TraceEvent) -> Void)?

        /// The defaults.
        package init() {}
    }

    private struct Writer {
        /// Nil when the store is closed.
        var connection: Connection?
        var lock: WriterLock?
        /// Whether a first load may have left indexes to be made.
        var mayLackIndexes = true
        /// Whether a thread is about to copy the log.
        var isLogLeft = false
    }

    /// The model the store was opened with.
    package let model: Model
    package let schema: Schema
    /// What the store is called in messages.
    package let name: String
    /// Which store it is, wherever its file is moved.
    package let id: UUID
    private let location: StoreLocation
    let options: Options
    /// Whether what is written goes into a log, so that others can read meanwhile.
    package let allowsConcurrentReads: Bool
    /// The name under which connections share the memory of a store that has no file.
    private let memoryKey = "tributary-\(UUID())"
    private let writer: Guarded<Writer>
    /// How many want to write and have not begun.
    private let waiting = Atomic<Int>(0)
    /// Nil when the store is closed.
    private let idleReaders = Guarded<[Connection]?>([])
    /// The entities, by their place in the model, whose rows lay in the order of the records that were looked for last.
    let inOrder = Guarded<Set<Int>>([])

    /// How many imports are under way, what the size of the cache was before, and the numbers of their runs.
    let imports = Guarded<(count: Int, earlier: SQLValue?, runs: Set<Int>)>((0, nil, []))

    /// Opens a store for the entities of a configuration, and makes it if it does not exist.
    ///
    /// - Throws: `StoreError`, `SQLiteError`.
    package init(
        _ model: Model, configuration: String? = nil, at location: StoreLocation, options: Options = Options()
    ) throws {
        self.model = model
        self.location = location
        self.options = options
        schema = Schema(model, configuration: configuration)
        if options.isReadOnly, case .sqlite(let path) = location, !FileManager.default.fileExists(atPath: path) {
            throw SQLiteStore.missing(path)
        }
        let connection: Connection
        do {
            connection = try SQLiteStore.connection(location, memoryKey, options, isReader: options.isReadOnly)
            name = connection.name
            var lock: WriterLock?
            id = try SQLiteStore.prepare(connection, schema, configuration, location, options, &lock).id
            allowsConcurrentReads = try SQLiteStore.configureJournal(connection, location, options)
            writer = Guarded(Writer(connection: connection, lock: lock))
        } catch let error as SQLiteError {
            throw SQLiteStore.explain(error, location)
        }
    }

    /// Sees to it that the database is ours and fits, or makes it.
    private static func prepare(
        _ connection: Connection, _ schema: Schema, _ configuration: String?, _ location: StoreLocation,
        _ options: Options, _ lock: inout WriterLock?
    ) throws -> StoreIdentity {
        func known() throws -> StoreIdentity? {
            let identity = try StoreIdentity(of: connection)
            try identity?.check(schema.model, configuration: configuration, store: connection.name)
            return identity
        }
        if let identity = try known() { return identity }
        guard !options.isReadOnly else {
            throw missing(connection.name)
        }
        if case .sqlite(let path) = location {
            lock = try WriterLock(database: path)
            // Somebody else may have made it meanwhile.
            if let identity = try known() { return identity }
        }
        let identity = StoreIdentity(schema.model, configuration: configuration)
        // Half as many pages as usual are half as many calls to write them: a first load takes a sixth less.
        try connection.execute("PRAGMA page_size = 8192")
        try connection.transaction {
            try connection.execute(
                SQLFragment(trusted: "PRAGMA application_id = \(StoreIdentity.applicationID)"))
            for statement in schema.creation() { try connection.execute(statement) }
            try identity.write(to: connection)
            try StoredModel.write(schema.model.declaration, on: connection)
        }
        return identity
    }

    /// Sees to it that what is written goes into a log, if that is wanted, and that it is synced as its kind needs it;
    /// true if there is a log.
    private static func configureJournal(
        _ connection: Connection, _ location: StoreLocation, _ options: Options
    ) throws -> Bool {
        guard case .sqlite = location else { return false }
        var kind = try connection.value(of: "PRAGMA journal_mode")
        if options.usesWriteAheadLog, !options.isReadOnly, kind != .text("wal") {
            // Where the file system cannot have one, or others read it just now, it stays what it was.
            kind = (try? connection.value(of: "PRAGMA journal_mode = WAL")) ?? kind
        }
        let hasLog = kind == .text("wal")
        guard !options.isReadOnly else { return hasLog }
        if options.isDurable {
            // Without a log the commit is that the journal is deleted, which FULL alone does not sync.
            try connection.execute("PRAGMA synchronous = EXTRA")
        } else {
            try connection.execute(hasLog ? "PRAGMA synchronous = NORMAL" : "PRAGMA synchronous = FULL")
        }
        return hasLog
    }

    private static func missing(_ name: String) -> StoreError {
        StoreError(.missing, name, "there is no store to be read", hint: "open it for writing to make one")
    }

    private static func connection(
        _ location: StoreLocation, _ memoryKey: String, _ options: Options, isReader: Bool
    ) throws -> Connection {
        var opening = Connection.Options()
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

    // MARK: Using it

    /// Calls `body` with the connection that writes; nobody else has it meanwhile.
    ///
    /// - Throws: `StoreError` if the store is read-only, `SQLiteError`, or what `body` throws.
    package func write<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        if let session = StoreSession.current(of: self) { return try body(try session.writing()) }
        return try writing { writer, connection in
            if writer.mayLackIndexes {
                if try DeferredIndexes.exist(on: connection) {
                    try connection.transaction { try DeferredIndexes.make(on: connection) }
                }
                writer.mayLackIndexes = false
            }
            defer { checkpointLog(&writer, connection) }
            return try connection.leavingLog { try body(connection) }
        }
    }

    /// Lets a thread copy a log that has grown, while the caller does what comes next; a thread that has not come to it
    /// since the last time is not waited for.
    private func checkpointLog(_ writer: inout Writer, _ connection: Connection) {
        guard connection.isLogDue else { return }
        if !writer.isLogLeft {
            let started: Void? = try? WorkerThread.start { [shared = self.writer] in
                shared.withLock { writer in
                    writer.isLogLeft = false
                    if let connection = writer.connection, connection.isLogDue { connection.copyLog() }
                }
            }
            writer.isLogLeft = started != nil
            if writer.isLogLeft { return }
        }
        connection.copyLog()
    }

    deinit { close() }

    /// Does the same for an import, which knows what indexes are missing.
    ///
    /// - Throws: as `write`.
    package func importing<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        try writing { writer, connection in
            writer.mayLackIndexes = true
            return try body(connection)
        }
    }

    /// Lets all reading and writing of this thread go through a connection that it has from `importing`, while `body` runs.
    ///
    /// So contexts see what their import has written and not committed yet. `access` says what setters and hooks may do.
    package func within<Result>(
        _ connection: Connection, access: StoreAccess? = nil, _ body: () throws -> Result
    ) rethrows -> Result {
        try StoreSession.with(self, connection, access, body)
    }

    /// Waits until those who want to write now have begun.
    package func yieldWriter() {
        // Whoever lets go of a mutex and takes it again at once mostly gets it.
        var turns = 0
        while hasWaitingWriters, turns < 10_000 {
            WorkerThread.yield()
            turns += 1
        }
    }

    /// Whether somebody waits for the one who writes.
    package var hasWaitingWriters: Bool { waiting.load(ordering: .relaxed) > 0 }

    private func writing<Result>(_ body: (inout Writer, Connection) throws -> Result) throws -> Result {
        guard !options.isReadOnly else {
            throw StoreError(.readOnly, name, "it was opened for reading only", hint: "open it for writing")
        }
        waiting.add(1, ordering: .relaxed)
        return try writer.withLock { writer in
            waiting.subtract(1, ordering: .relaxed)
            guard let connection = writer.connection else { throw closed }
            if writer.lock == nil, case .sqlite(let path) = location { writer.lock = try WriterLock(database: path) }
            return try body(&writer, connection)
        }
    }

    /// Calls `body` with a connection that reads; many can at once, and none waits for the writer.
    ///
    /// - Throws: `SQLiteError`, or what `body` throws.
    package func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        if let session = StoreSession.current(of: self) { return try body(session.reading()) }
        let idle = try idleReaders.withLock { readers in
            guard readers != nil else { throw closed }
            return readers?.popLast()
        }
        let connection = try idle ?? SQLiteStore.connection(location, memoryKey, options, isReader: true)
        defer { idleReaders.withLock { $0?.append(connection) } }
        return try body(connection)
    }

    /// A connection that reads, with so much memory for pages; whoever takes it lets go of it before the store is closed.
    ///
    /// - Throws: `SQLiteError`.
    package func makeReader(cacheKiB: Int) throws -> Connection {
        let connection = try SQLiteStore.connection(location, memoryKey, options, isReader: true)
        try connection.execute(SQLFragment(trusted: "PRAGMA cache_size = -\(cacheKiB)"))
        // Those that write look at all cells of a page that they load; who only looks rows up sees those he asks for.
        try connection.execute("PRAGMA cell_size_check = OFF")
        return connection
    }

    /// Lets go of the file when what is being written is written; whoever still uses the store gets an error.
    package func close() {
        idleReaders.withLock { $0 = nil }
        // An import gives way to whoever waits.
        waiting.add(1, ordering: .relaxed)
        defer { waiting.subtract(1, ordering: .relaxed) }
        // The connection closes the file, and with it the log beside it, before another process may write.
        writer.withLock { $0.connection = nil }
        writer.withLock { $0.lock = nil }
    }

    /// Whether it was closed.
    var isClosed: Bool { idleReaders.withLock { $0 == nil } }

    private var closed: StoreError {
        StoreError(
            .missing, name, "the store was closed", hint: "take a new context from the manager, or open it again")
    }

    /// An error of SQLite, in words of the store where it means more.
    static func explain(_ error: SQLiteError, _ location: StoreLocation) -> any Error {
        switch error.code.primary {
        case .notADatabase:
            StoreError(
                .damaged, error.database, "it is no database, or is encrypted or damaged",
                hint: "choose another file; this one was not changed")
        case .corrupt:
            StoreError(
                .damaged, error.database, "it is damaged (\(error.message))",
                hint: "restore it from a backup, or rescue what can be read with: sqlite3 FILE .recover")
        default:
            if case .sqlite(let path) = location { pathError(path) ?? error } else { error }
        }
    }

    /// What is wrong with a path where no database can be.
    private static func pathError(_ path: String) -> StoreError? {
        let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        if type == .typeDirectory { return StoreError(.foreign, path, "it is a folder", hint: "name a file") }
        let folder = URL(filePath: path).deletingLastPathComponent().path
        guard type == nil, !FileManager.default.fileExists(atPath: folder) else { return nil }
        return StoreError(.missing, path, "there is no folder \(folder)", hint: "make it, or choose another place")
    }
}
