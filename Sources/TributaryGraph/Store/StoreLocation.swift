/// The location of a store.
public enum StoreLocation: Sendable, Hashable {
    /// A SQLite file, which is created if it does not exist.
    case sqlite(String)
    /// Memory, until the store is closed.
    case memory
}
