package import TributaryStore

/// A database that is open for imports of rows: without classes, contexts and listeners.
package final class RowDatabase: StoreSet {
    /// The store with all entities of the model.
    package let store: SQLiteStore

    /// Opens a database of a model, and creates it if it does not exist.
    package init(_ model: Model, at location: StoreLocation, options: StoreOptions = StoreOptions()) throws {
        store = try SQLiteStore(model, at: location, options: options)
    }

    /// Opens a database with several tables of inferred columns; see `InferredDatabase.model(_:_:)`.
    package convenience init(
        inferring tables: [(entity: String, key: ImportKey?)], at path: String, creation: StoreOptions.Creation
    ) throws {
        try self.init(
            InferredDatabase.model(path, tables), at: .sqlite(path), options: InferredDatabase.options(creation))
    }

    /// Opens a database of another program.
    package convenience init(tablesAt path: String) throws {
        try self.init(
            InferredDatabase.model(ofTablesAt: path), at: .sqlite(path), options: InferredDatabase.tableOptions)
    }

    /// Opens a database with the tables of discovered relations; for a dry run these stay empty.
    ///
    /// - Throws: `StoreError`, as when a column becomes a relation and `isDryRun`, `ModelError`, `SQLiteError`.
    package convenience init(
        _ found: DiscoveredRelations, at path: String, isDryRun: Bool, creation: StoreOptions.Creation
    ) throws {
        var options = InferredDatabase.tableOptions
        options.creation = creation
        try self.init(found.extendedModel(at: path, isDryRun: isDryRun), at: .sqlite(path), options: options)
    }

    /// Opens an empty store in memory with the tables of discovered relations.
    package convenience init(rehearsing found: DiscoveredRelations) throws {
        try self.init(Model(found.model), at: .memory)
    }

    /// Opens an empty store in memory with the tables that an import would find or make in the database at a path.
    package convenience init(rehearsing tables: [(entity: String, key: ImportKey?)], at path: String) throws {
        try self.init(InferredDatabase.rehearsal(of: tables, at: path), at: .memory)
    }

    deinit { store.close() }

    /// The imports, with the records that they have rejected.
    package var imports: Imports { Imports(store, of: self) }

    // MARK: Stores

    package var model: Model { store.model }
    package var stores: [SQLiteStore] { [store] }
    package func store(of entity: Entity) -> SQLiteStore { store }
    package func storeIndex(of entity: Entity) -> Int? { 0 }

    package var hasListeners: Bool { false }
    package func announceReload() {}
    package func announce(_ written: [(entity: Entity, inserted: [Int64], updated: [Int64])]) {}
}
