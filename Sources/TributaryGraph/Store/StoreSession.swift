import CTributaryThread
import TributarySQLite

/// What a thread has of a store: the connection that writes, so that all it calls goes through that as well; or leave to ask
/// for it, when something is read or written for the first time.
final class StoreSession {
    private unowned let store: SQLiteStore
    private let ask: () throws -> Connection?
    private var held: Connection?
    private var hasAsked: Bool

    private init(_ store: SQLiteStore, _ held: Connection?, _ ask: @escaping () throws -> Connection?) {
        self.store = store
        self.held = held
        self.ask = ask
        hasAsked = held != nil
    }

    /// The session of this thread, if it has one of `store`.
    static func current(of store: SQLiteStore) -> StoreSession? {
        guard let place = tributary_thread().pointee.session else { return nil }
        let session = Unmanaged<StoreSession>.fromOpaque(place).takeUnretainedValue()
        return session.store === store ? session : nil
    }

    /// Runs `body` on this thread with a connection of `store`.
    static func with<Result>(
        _ store: SQLiteStore, _ connection: Connection, _ body: () throws -> Result
    ) rethrows -> Result {
        try StoreSession(store, connection) { nil }.run(body)
    }

    /// Runs `body` on this thread, which asks for a connection of `store` as soon as it needs one.
    static func with<Result>(
        _ store: SQLiteStore, asking ask: () throws -> Connection?, _ body: () throws -> Result
    ) rethrows -> Result {
        try withoutActuallyEscaping(ask) { try StoreSession(store, nil, $0).run(body) }
    }

    private func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        let thread = tributary_thread()
        let outer = thread.pointee.session
        thread.pointee.session = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
        defer { thread.pointee.session = outer }
        return try withExtendedLifetime(self) { try body() }
    }

    /// The connection; nil if there is none to be had any more.
    func connection() throws -> Connection? {
        if hasAsked { return held }
        held = try ask()
        hasAsked = true
        return held
    }

    /// Whether the thread has the connection.
    var isHeld: Bool { held != nil }
}
