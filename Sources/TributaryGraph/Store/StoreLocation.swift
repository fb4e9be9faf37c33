/// Where a store keeps its objects.
public enum StoreLocation: Sendable, Hashable {
    /// In a SQLite file, which is made if it does not exist.
    case sqlite(String)
    /// In memory, until it is closed.
    case memory
}
