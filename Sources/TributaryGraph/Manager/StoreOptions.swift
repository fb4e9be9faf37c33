public import TributarySQLite

/// How stores are opened.
public struct StoreOptions: Sendable {
    /// Nothing can be written, and nothing is made.
    public var isReadOnly = false
    /// Whether a store that is damaged or does not fit the model is deleted, with all it had, and made anew.
    ///
    /// The database of another program is never deleted.
    public var deletesUnreadableStores = false
    /// Whether what the stores have is deleted before they are opened; ``ContextManager/didEraseStores`` tells whether
    /// there was anything.
    public var erasesStores = false
    /// Whether changes go to a log beside the file first, so that readers never wait.
    public var usesWriteAheadLog = true
    /// Whether a save has reached the disk when it returns, even if the machine loses its power then; without it the last
    /// saves may be gone after that, but the store is whole.
    public var isDurable = false
    /// Memory for pages of the writer, in KiB.
    public var cacheKiB = 64 << 10
    /// Told about each statement of SQL, without values.
    public var trace: (@Sendable (TraceEvent) -> Void)?

    /// The defaults.
    public init() {}
}
