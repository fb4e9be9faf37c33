import CTributaryThread
import TributarySQLite

/// The connection through which a thread reads and writes a store while it works for an import.
package final class StoreSession {
    private unowned let store: SQLiteStore
    private let connection: Connection
    /// The limit of setters and hooks; nil if there is none.
    private let limit: (any StoreLimit)?
    /// Whether a setter or a hook is running.
    private var isRestricted = false

    private init(_ store: SQLiteStore, _ connection: Connection, _ limit: (any StoreLimit)?) {
        self.store = store
        self.connection = connection
        self.limit = limit
    }

    /// The session of this thread, if it has one.
    private static var current: StoreSession? {
        guard let pointer = tributary_thread().pointee.session else { return nil }
        return Unmanaged<StoreSession>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// The session of this thread, if it is for `store`.
    package static func current(of store: SQLiteStore) -> StoreSession? {
        guard let session = current, session.store === store else { return nil }
        return session
    }

    /// The limit of the running setter or hook, if this thread has a session for one of these stores; nil if none.
    package static func limit(of stores: [SQLiteStore]) -> (any StoreLimit)? {
        guard let session = current, session.isRestricted, stores.contains(where: { $0 === session.store }) else {
            return nil
        }
        return session.limit
    }

    /// Runs `body` on this thread with a connection of `store`.
    static func with<Result>(
        _ store: SQLiteStore, _ connection: Connection, _ limit: (any StoreLimit)?, _ body: () throws -> Result
    ) rethrows -> Result {
        let session = StoreSession(store, connection, limit)
        let thread = tributary_thread()
        let outer = thread.pointee.session
        thread.pointee.session = UnsafeRawPointer(Unmanaged.passUnretained(session).toOpaque())
        defer { thread.pointee.session = outer }
        return try withExtendedLifetime(session) { try body() }
    }

    /// Runs `body`, which calls setters or hooks.
    package static func restricted<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard let session = current, session.limit != nil, !session.isRestricted else { return try body() }
        session.isRestricted = true
        defer { session.isRestricted = false }
        return try body()
    }

    /// The connection, for reading.
    func reading() throws -> Connection {
        if isRestricted { try limit?.willRead() }
        return connection
    }

    /// The connection, for writing.
    func writing() throws -> Connection {
        if isRestricted { try limit?.willWrite() }
        return connection
    }
}
