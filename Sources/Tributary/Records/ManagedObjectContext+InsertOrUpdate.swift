public import TributaryGraph
public import TributaryImport
public import TributaryJSON

/// Inserting and updating objects from records.
extension ManagedObjectContext {
    /// Inserts or updates the object of each record, and calls `setter` with both, in the order of the records.
    ///
    ///     let result = try context.insertOrUpdate(chunk, into: Author.self, key: \.id, remoteKey: "author_id") {
    ///         record, author in
    ///         author.name = record["name"]
    ///     }
    ///     print(result.inserted, result.updated, result.rejects)
    ///
    /// One SELECT fetches the existing objects. A new object has its key before the setter is called, and without a
    /// setter nothing else. Records with the same key are applied one after the other to one object. A record is
    /// rejected if it has no key, if its values do not fit, if its setter throws, or if the model does not allow its
    /// object: all its changes are undone, and the result has the reason. A setter sets its object, and may fetch, link
    /// and insert others; it must not change the key, save or roll back. Nothing is saved.
    ///
    /// - Parameters:
    ///   - records: A chunk of a reader, a ``RecordList``, or other records.
    ///   - type: The class.
    ///   - key: The attribute that identifies an object.
    ///   - remoteKey: The path of its value in a record; nil for its name, `.self` if a record is the value itself.
    ///   - mode: How records with existing keys are handled.
    ///   - setter: Sets the attributes of the object.
    /// - Returns: The object and the outcome of each record, and the rejects.
    /// - Throws: `ContextError` in a context of the main actor; `ImportError` for an invalid key; `StoreError`
    ///   or `SQLiteError` if the store cannot be read.
    @discardableResult
    public func insertOrUpdate<Object: ManagedObject, Value: AttributeValue>(
        _ records: some Collection<Record>, into type: Object.Type = Object.self, key: KeyPath<Object, Value>,
        remoteKey: RemoteKey? = nil, mode: ImportMode = .upsert, setter: ((Record, Object) throws -> Void)? = nil
    ) throws -> BatchResult<Object> {
        try insertOrUpdate(records, into: type, key: ImportKey(key, remote: remoteKey), mode: mode, setter: setter)
    }

    /// Inserts or updates the object of each record, by a key of any number of attributes.
    @discardableResult
    public func insertOrUpdate<Object: ManagedObject>(
        _ records: some Collection<Record>, into type: Object.Type = Object.self, key: ImportKey,
        mode: ImportMode = .upsert, setter: ((Record, Object) throws -> Void)? = nil
    ) throws -> BatchResult<Object> {
        try insertOrUpdate(records, into: type, key: key, mode: mode, isCancelled: { false }, setter: setter)
    }

    func insertOrUpdate<Object: ManagedObject>(
        _ records: some Collection<Record>, into type: Object.Type, key: ImportKey, mode: ImportMode,
        isCancelled: @escaping () -> Bool, setter: ((Record, Object) throws -> Void)?
    ) throws -> BatchResult<Object> {
        let entity = try entity(named: type.entityName)
        try checkClass(of: entity, is: type)
        var batch = RecordBatch(try RecordKey(key, of: entity))
        batch.mode = mode
        batch.isCancelled = isCancelled
        let result = try batch.apply(
            records, in: self,
            // `checkClass` has shown that objects of the entity have this class or a subclass.
            setter: setter.map { setter in { try setter($0, unsafeDowncast($1, to: Object.self)) } })
        return result.cast(to: type)
    }

    /// Inserts or updates the object of each record, and calls `setter` with both and this context.
    ///
    /// - Throws: The errors of `insertOrUpdate` with a setter of two arguments.
    @discardableResult
    public func insertOrUpdate<Object: ManagedObject, Value: AttributeValue>(
        _ records: some Collection<Record>, into type: Object.Type = Object.self, key: KeyPath<Object, Value>,
        remoteKey: RemoteKey? = nil, mode: ImportMode = .upsert,
        setter: (Record, Object, ManagedObjectContext) throws -> Void
    ) throws -> BatchResult<Object> {
        try withoutActuallyEscaping(setter) { setter in
            try insertOrUpdate(records, into: type, key: key, remoteKey: remoteKey, mode: mode) {
                try setter($0, $1, self)
            }
        }
    }

    /// Inserts or updates the object of each record, of an entity with or without a class.
    @discardableResult
    public func insertOrUpdate(
        _ records: some Collection<Record>, into entityName: String, key: ImportKey, mode: ImportMode = .upsert,
        setter: ((Record, ManagedObject) throws -> Void)? = nil
    ) throws -> BatchResult<ManagedObject> {
        var batch = RecordBatch(try RecordKey(key, of: try entity(named: entityName)))
        batch.mode = mode
        return try batch.apply(records, in: self, setter: setter)
    }

    func checkClass<Object: ManagedObject>(of entity: Entity, is type: Object.Type) throws {
        let actual = objectClass(of: entity)
        guard actual is Object.Type else {
            throw ImportError(
                .route, "objects of \(entity.name) have the class \(actual), not \(type)",
                hint: "name the class in the model, or import into the entity by name")
        }
    }
}

extension ManagedRecord {
    /// Inserts or updates the object of each record, and calls `setter` with both.
    ///
    /// - Throws: The errors of `ManagedObjectContext.insertOrUpdate`.
    @discardableResult
    public static func insertOrUpdate<Value: AttributeValue>(
        _ records: some Collection<Record>, key: KeyPath<Self, Value>, remoteKey: RemoteKey? = nil,
        mode: ImportMode = .upsert, in context: ManagedObjectContext, setter: ((Record, Self) throws -> Void)? = nil
    ) throws -> BatchResult<Self> {
        try context.insertOrUpdate(
            records, into: Self.self, key: key, remoteKey: remoteKey, mode: mode, setter: setter)
    }

    /// Inserts or updates the object of each record, by a key of any number of attributes.
    ///
    /// - Throws: The errors of `ManagedObjectContext.insertOrUpdate`.
    @discardableResult
    public static func insertOrUpdate(
        _ records: some Collection<Record>, key: ImportKey, mode: ImportMode = .upsert,
        in context: ManagedObjectContext, setter: ((Record, Self) throws -> Void)? = nil
    ) throws -> BatchResult<Self> {
        try context.insertOrUpdate(records, into: Self.self, key: key, mode: mode, setter: setter)
    }

    /// Inserts or updates the object of each record, and calls `setter` with both and the context.
    ///
    /// - Throws: The errors of `ManagedObjectContext.insertOrUpdate`.
    @discardableResult
    public static func insertOrUpdate<Value: AttributeValue>(
        _ records: some Collection<Record>, key: KeyPath<Self, Value>, remoteKey: RemoteKey? = nil,
        mode: ImportMode = .upsert, in context: ManagedObjectContext,
        setter: (Record, Self, ManagedObjectContext) throws -> Void
    ) throws -> BatchResult<Self> {
        try context.insertOrUpdate(
            records, into: Self.self, key: key, remoteKey: remoteKey, mode: mode, setter: setter)
    }
}
