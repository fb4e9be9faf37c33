public import TributaryGraph
public import TributaryImport

extension ContextManager {
    /// The records that imports have rejected.
    public var rejects: Rejects { imports.rejects }

    /// The journal of imports.
    public var imports: Imports { Imports(importStore, of: stores) }

    /// The store with the journal and the rejects of imports.
    var importStore: SQLiteStore { stores.stores[0] }
}
