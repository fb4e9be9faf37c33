public import TributaryGraph
public import TributaryImport

extension ContextManager {
    /// The records that imports have rejected.
    public var rejects: RejectedRecords { RejectedRecords(importStore) }

    /// The journal of imports.
    public var imports: ImportJournal { ImportJournal(importStore, of: stores) }

    /// The store with the journal and the rejects of imports.
    var importStore: SQLiteStore {
        guard let store = stores.stores.first else { fatalError("internal error: the manager has no store") }
        return store
    }
}
