extension ContextManager {
    /// The number of rows in the table of an entity, or of another program, or `limit` if it has more.
    ///
    /// - Throws: `StoreError`, `SQLiteError`.
    package func rowCount(of name: String, upTo limit: Int) throws -> Int {
        let entity = stores.model[name]
        let store = entity.map(stores.store) ?? stores.stores[0]
        return try store.read { try TableRows.count(entity?.root.name ?? name, upTo: limit, on: $0) }
    }
}
