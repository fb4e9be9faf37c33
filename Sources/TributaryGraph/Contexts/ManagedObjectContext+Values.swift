import TributarySQLite

/// Reading values and changing many rows without objects.
extension ManagedObjectContext {
    /// The values of a request in the store, without unsaved changes.
    ///
    /// - Throws: `FetchError` or `FilterError` if the request does not fit the model, errors of the store.
    public func values(_ request: ValueRequest) throws -> [ValueRow] {
        check()
        let entity = try entity(named: request.entityName)
        let store = stores.store(of: entity)
        let query = try FetchCompiler(schema: store.schema, model: model).query(request)
        return try store.read { connection in
            try query.rows(on: connection) { FilterReference(ObjectID(stores, $0, $1)) }
        }
    }

    /// Updates all rows that pass a filter in the store at once, without making objects; returns their IDs.
    ///
    /// Objects in memory get the new values, in this context and in contexts that merge automatically. Neither
    /// validation nor `willSave` is called.
    ///
    /// - Throws: `FetchError` for an update that a batch cannot perform, errors of the store; then nothing is changed.
    @discardableResult
    public func execute(_ update: BatchUpdate) throws -> SavedChanges {
        try execute(update.entityName) {
            try $0.execute(update)
        } inStore: {
            try $0.execute(update, on: $1)
        }
    }

    /// Deletes all rows that pass a filter in the store at once, applying the delete rules, without making objects;
    /// returns their IDs.
    ///
    /// - Throws: `FetchError` for a deletion that a batch cannot perform, errors of the store; then nothing is changed.
    @discardableResult
    public func execute(_ delete: BatchDelete) throws -> SavedChanges {
        try execute(delete.entityName) {
            try $0.execute(delete)
        } inStore: {
            try $0.execute(delete, on: $1)
        }
    }

    /// Executes a batch in the store, or in the parent if there is one, and merges what it changes.
    private func execute(
        _ entityName: String, inParent: (ManagedObjectContext) throws -> SavedChanges,
        inStore: (FetchCompiler, Connection) throws -> BatchResult
    ) throws -> SavedChanges {
        check()
        let entity = try entity(named: entityName)
        if let parent {
            let saved = try parent.sync(inParent)
            merge(saved)
            return saved
        }
        let store = stores.store(of: entity)
        let compiler = FetchCompiler(schema: store.schema, model: model)
        let result = try store.write { connection in
            try connection.transaction { try inStore(compiler, connection) }
        }
        var saved = SavedChanges(stores)
        saved.updatedKeys = SavedChanges.keys(result.updated)
        saved.deletedKeys = SavedChanges.keys(result.deleted)
        guard !saved.isEmpty else { return saved }
        merge(saved)
        if shouldMergeOnSave { notifyOthers(of: saved) }
        return saved
    }

    /// The SQL of a request, and how SQLite would run it.
    ///
    /// - Throws: The errors of `fetch`.
    public func explain<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> QueryExplanation {
        check()
        let entity = try entity(named: request.entityName)
        let store = stores.store(of: entity)
        let query = try FetchCompiler(schema: store.schema, model: model).rows(RowRequest(request))
        return try store.read { try query.sql.explanation(on: $0) }
    }

    /// The SQL of a request for values, and how SQLite would run it.
    ///
    /// - Throws: The errors of `values`.
    public func explain(_ request: ValueRequest) throws -> QueryExplanation {
        check()
        let entity = try entity(named: request.entityName)
        let store = stores.store(of: entity)
        let query = try FetchCompiler(schema: store.schema, model: model).query(request)
        return try store.read { try query.sql.explanation(on: $0) }
    }
}
