import CTributaryThread
import TributarySQLite

/// What a thread has of a store: a connection through which all goes that it reads and writes there.
final class StoreSession {
    private unowned let store: SQLiteStore
    private let held: Connection
    private let watch: StoreWatch?
    /// What keeps the saves of other contexts, as they are part of its transaction.
    private let keeper: ManagedObjectContext?
    /// Whether what is read is the value of a property.
    private var isForProperty = false

    private init(_ store: SQLiteStore, _ held: Connection, _ watch: StoreWatch?, _ keeper: ManagedObjectContext?) {
        self.store = store
        self.held = held
        self.watch = watch
        self.keeper = keeper
    }

    /// The session of this thread, if it has one of `store`.
    static func current(of store: SQLiteStore) -> StoreSession? {
        guard let place = tributary_thread().pointee.session else { return nil }
        let session = Unmanaged<StoreSession>.fromOpaque(place).takeUnretainedValue()
        return session.store === store ? session : nil
    }

    /// The context that keeps what others save on this thread in one of these stores, if it has one.
    static func keeper(of stores: StoreSet) -> ManagedObjectContext? {
        guard tributary_thread().pointee.session != nil else { return nil }
        return stores.stores.lazy.compactMap { current(of: $0)?.keeper }.first
    }

    /// Runs `body` on this thread with a connection of `store`; `keeper` keeps what other contexts save there.
    static func with<Result>(
        _ store: SQLiteStore, _ connection: Connection, _ watch: StoreWatch?, keeper: ManagedObjectContext? = nil,
        _ body: () throws -> Result
    ) rethrows -> Result {
        let session = StoreSession(store, connection, watch, keeper ?? current(of: store)?.keeper)
        let thread = tributary_thread()
        let outer = thread.pointee.session
        thread.pointee.session = UnsafeRawPointer(Unmanaged.passUnretained(session).toOpaque())
        defer { thread.pointee.session = outer }
        return try withExtendedLifetime(session) { try body() }
    }

    /// Runs `body`, which reads the value of a property.
    ///
    /// A property cannot throw: what is there is read in any case, also where that does not count.
    static func readingProperty<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard let place = tributary_thread().pointee.session else { return try body() }
        let session = Unmanaged<StoreSession>.fromOpaque(place).takeUnretainedValue()
        let outer = session.isForProperty
        session.isForProperty = true
        defer { session.isForProperty = outer }
        return try body()
    }

    /// The connection, to read.
    func reading() throws -> Connection {
        try watch?.noteReading(isForProperty: isForProperty)
        return held
    }

    /// The connection, to write.
    func writing() throws -> Connection {
        try watch?.noteWriting()
        return held
    }
}

/// Watches whether somebody reads or writes more than what was read for him.
package final class StoreWatch {
    /// Why nothing can be read or written here.
    package struct OutOfTurn: Error {}

    private let waitForTurn: () -> Bool
    /// Whether anything was read or written.
    package private(set) var wasUsed = false
    /// Whether anything was written.
    package private(set) var hasWritten = false
    /// Whether what was done meanwhile does not count: it was not his turn to read, or he wanted to write.
    package private(set) var isVoid = false
    /// Whether all is there that he may look for, when it is his turn.
    package var mayRead: Bool
    private let mayWrite: Bool

    /// Calls `waitForTurn` before the first reading; false if the turn does not come.
    package init(mayRead: Bool = true, mayWrite: Bool = false, _ waitForTurn: @escaping () -> Bool) {
        self.mayRead = mayRead
        self.mayWrite = mayWrite
        self.waitForTurn = waitForTurn
    }

    /// Lets everything be read and written, and notes that it was.
    package static func noting() -> StoreWatch { StoreWatch(mayWrite: true) { true } }

    fileprivate func noteReading(isForProperty: Bool) throws {
        if !mayRead || !wasUsed && !waitForTurn() { isVoid = true }
        wasUsed = true
        // Nobody finds a part of what is there.
        if isVoid, !isForProperty { throw OutOfTurn() }
    }

    fileprivate func noteWriting() throws {
        wasUsed = true
        hasWritten = true
        if mayWrite { return }
        isVoid = true
        throw OutOfTurn()
    }
}
