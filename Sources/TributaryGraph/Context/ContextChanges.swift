/// What has happened to the objects of a context: since the last time it was told, or in a save.
public struct ContextChanges {
    /// Inserted, or fetched because another context has inserted them.
    public internal(set) var inserted: Set<ManagedObject> = []
    /// Changed in this context.
    public internal(set) var updated: Set<ManagedObject> = []
    /// Deleted.
    public internal(set) var deleted: Set<ManagedObject> = []
    /// Taken anew from the store.
    public internal(set) var refreshed: Set<ManagedObject> = []
    /// Whether the context was reset: none of its objects is of use any more.
    public internal(set) var isReset = false
    /// Whether other contexts have saved more rows than are named here.
    ///
    /// All objects in memory were refreshed; new ones are not listed, so fetch again what is shown.
    public internal(set) var isReload = false

    /// Whether nothing has happened.
    public var isEmpty: Bool {
        inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty && !isReset && !isReload
    }
}
