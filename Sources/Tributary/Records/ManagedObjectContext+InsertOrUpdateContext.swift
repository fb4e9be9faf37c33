public import TributaryGraph
public import TributaryImport
public import TributaryJSON

/// Inserting and updating objects from records with setters that take the context as a third argument.
extension ManagedObjectContext {
    /// Inserts or updates the object of each record, and calls `setter` with both and this context.
    ///
    /// - Throws: The errors of `insertOrUpdate` with a setter of two arguments.
    @discardableResult
    public func insertOrUpdate<Object: ManagedObject, Value: AttributeValue>(
        _ records: some Collection<Record>, into type: Object.Type = Object.self, key: KeyPath<Object, Value>,
        remoteKey: RemoteKey? = nil, mode: ImportMode = .upsert,
        setter: (Record, Object, ManagedObjectContext) throws -> Void
    ) throws -> BatchResult<Object> {
        try insertOrUpdate(records, into: type, key: ImportKey(key, remote: remoteKey), mode: mode, setter: setter)
    }

    /// Inserts or updates the object of each record, by a key of any number of attributes.
    @discardableResult
    public func insertOrUpdate<Object: ManagedObject>(
        _ records: some Collection<Record>, into type: Object.Type = Object.self, key: ImportKey,
        mode: ImportMode = .upsert, setter: (Record, Object, ManagedObjectContext) throws -> Void
    ) throws -> BatchResult<Object> {
        try withoutActuallyEscaping(setter) { setter in
            try insertOrUpdate(records, into: type, key: key, mode: mode) { try setter($0, $1, self) }
        }
    }

    /// Inserts or updates the object of each record, of an entity with or without a class.
    @discardableResult
    public func insertOrUpdate(
        _ records: some Collection<Record>, into entityName: String, key: ImportKey, mode: ImportMode = .upsert,
        setter: (Record, ManagedObject, ManagedObjectContext) throws -> Void
    ) throws -> BatchResult<ManagedObject> {
        try withoutActuallyEscaping(setter) { setter in
            try insertOrUpdate(records, into: entityName, key: key, mode: mode) { try setter($0, $1, self) }
        }
    }
}

extension ManagedRecord {
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

    /// Inserts or updates the object of each record, by a key of any number of attributes.
    ///
    /// - Throws: The errors of `ManagedObjectContext.insertOrUpdate`.
    @discardableResult
    public static func insertOrUpdate(
        _ records: some Collection<Record>, key: ImportKey, mode: ImportMode = .upsert,
        in context: ManagedObjectContext, setter: (Record, Self, ManagedObjectContext) throws -> Void
    ) throws -> BatchResult<Self> {
        try context.insertOrUpdate(records, into: Self.self, key: key, mode: mode, setter: setter)
    }
}
