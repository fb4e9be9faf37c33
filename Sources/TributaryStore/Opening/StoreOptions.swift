public import TributarySQLite

/// The options of stores.
public struct StoreOptions: Sendable {
    /// Whether the stores cannot be written, and are not created.
    public var isReadOnly = false
    /// Whether a store that is damaged, or of another model to which it cannot be migrated, is deleted, with all its
    /// objects, and created again.
    ///
    /// In a database of another program only the tables of this library are dropped.
    public var deletesUnreadableStores = false
    /// How a store of an earlier model is migrated.
    public var migration = MigrationOptions()
    /// Whether the files of the stores are deleted before they are opened; see ``ContextManager/didEraseStores``.
    public var erasesStores = false
    /// Whether opening a manager begins ``ContextManager/purgeStaleObjects()`` in the background, before other writes.
    ///
    /// Its error is not reported; stale objects that it leaves are deleted by the next purge.
    public var purgesStaleObjectsWhenOpened = false
    /// When a database that does not exist gets its name.
    public var creation = Creation.whenOpened
    /// Whether to use a write-ahead log, so that readers never wait.
    public var usesWriteAheadLog = true
    /// Whether a save that has returned survives a power failure; otherwise the latest saves may be lost, but the store
    /// stays intact.
    public var isDurable = false
    /// The page cache of the writer, in KiB.
    public var cacheKiB = 64 << 10
    /// Called when an SQL statement starts and when it has ended; bound values are not included.
    public var trace: (@Sendable (TraceEvent) -> Void)?

    /// When a database that does not exist gets its name.
    public enum Creation: Sendable {
        /// When it is opened first.
        case whenOpened
        /// When its first import has finished, which is the fastest way to fill it.
        ///
        /// Until then it is the file `NAME-new`, which this library opens in its place.
        case afterFirstImport
    }

    /// The seconds that reading or writing waits for a lock of another program.
    public var lockTimeout = 5.0

    /// The defaults.
    public init() {}
}
