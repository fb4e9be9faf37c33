/// The changes of a context's objects: since its observers were called last, or in a save.
public struct ContextChanges {
    /// Inserted objects, including fetched ones that another context inserted.
    public internal(set) var inserted: Set<ManagedObject> = []
    /// Objects changed in this context.
    public internal(set) var updated: Set<ManagedObject> = []
    /// Deleted objects.
    public internal(set) var deleted: Set<ManagedObject> = []
    /// Objects whose values were read again from the store.
    public internal(set) var refreshed: Set<ManagedObject> = []
    /// Whether the context was reset, which makes all its objects unusable.
    public internal(set) var isReset = false
    /// Whether other contexts saved more rows than are listed here.
    ///
    /// All objects in memory were refreshed. New objects are not listed, so repeat the fetches whose results are shown.
    public internal(set) var isReload = false

    /// Whether there are no changes.
    public var isEmpty: Bool {
        inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty && !isReset && !isReload
    }
}
