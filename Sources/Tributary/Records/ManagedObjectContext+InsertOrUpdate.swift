public import TributaryGraph
public import TributaryJSON

/// Making objects of records, and changing those that are there already.
extension ManagedObjectContext {
    /// Makes or changes the object of each record, and calls `setter` with both, in the order of the records.
    ///
    ///     let result = try context.insertOrUpdate(chunk, into: Author.self, key: \.id, remoteKey: "author_id") {
    ///         record, author in
    ///         author.name = record["name"]
    ///     }
    ///     print(result.inserted, result.updated, result.rejects)
    ///
    /// One SELECT finds the objects that are there. A new object has its key before the setter sees it; without a setter that
    /// is all it has. Several records with one key are applied one after the other to one object. A record without a key,
    /// one whose values do not fit, one whose setter throws or whose object the model does not allow is refused: all that
    /// it has changed is undone, and the result tells why. A setter sets its object, and may look up, link and make others;
    /// it leaves the key as it is, and neither saves nor rolls back. Nothing is saved.
    ///
    /// - Parameters:
    ///   - records: A chunk of a reader, a ``RecordList``, any records.
    ///   - type: The class.
    ///   - key: The attribute that tells one object from another.
    ///   - remoteKey: Where its value stands in a record, under its name if nothing is said; `.self` for bare ids.
    ///   - mode: What is done with keys that are there already.
    ///   - setter: Sets what the record tells.
    /// - Returns: The objects, what has become of each record, and what was refused why.
    /// - Throws: `ContextError` in a context of the main actor; `ImportError` for a key that cannot be one; what reading
    ///   the store throws.
    @discardableResult
    public func insertOrUpdate<Object: ManagedObject, Value: AttributeValue>(
        _ records: some Collection<Record>, into type: Object.Type = Object.self, key: KeyPath<Object, Value>,
        remoteKey: RemoteKey? = nil, mode: ImportMode = .upsert, setter: ((Record, Object) throws -> Void)? = nil
    ) throws -> BatchResult<Object> {
        try insertOrUpdate(records, into: type, key: ImportKey(key, remote: remoteKey), mode: mode, setter: setter)
    }

    /// The same with a key of any number of attributes.
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
        try demand(entity, has: type)
        var batch = RecordBatch(try RecordKey(key, of: entity))
        batch.mode = mode
        batch.isCancelled = isCancelled
        let result = try batch.apply(
            records, in: self,
            // Objects of the entity have this class or one below it, as has just been seen.
            setter: setter.map { setter in { try setter($0, unsafeDowncast($1, to: Object.self)) } })
        return result.cast(to: type)
    }

    /// The same for an entity with or without a class.
    @discardableResult
    public func insertOrUpdate(
        _ records: some Collection<Record>, into entityName: String, key: ImportKey, mode: ImportMode = .upsert,
        setter: ((Record, ManagedObject) throws -> Void)? = nil
    ) throws -> BatchResult<ManagedObject> {
        var batch = RecordBatch(try RecordKey(key, of: try entity(named: entityName)))
        batch.mode = mode
        return try batch.apply(records, in: self, setter: setter)
    }

    private func demand<Object: ManagedObject>(_ entity: Entity, has type: Object.Type) throws {
        let actual = objectClass(of: entity)
        guard actual is Object.Type else {
            throw ImportError(
                .route, "objects of \(entity.name) have the class \(actual), not \(type)",
                hint: "name the class in the model, or import into the entity by name")
        }
    }
}

extension ManagedRecord {
    /// Makes or changes the object of each record, and calls `setter` with both.
    ///
    /// - Throws: as `ManagedObjectContext.insertOrUpdate`.
    @discardableResult
    public static func insertOrUpdate<Value: AttributeValue>(
        _ records: some Collection<Record>, key: KeyPath<Self, Value>, remoteKey: RemoteKey? = nil,
        mode: ImportMode = .upsert, in context: ManagedObjectContext, setter: ((Record, Self) throws -> Void)? = nil
    ) throws -> BatchResult<Self> {
        try context.insertOrUpdate(
            records, into: Self.self, key: key, remoteKey: remoteKey, mode: mode, setter: setter)
    }

    /// The same with a key of any number of attributes.
    ///
    /// - Throws: as `ManagedObjectContext.insertOrUpdate`.
    @discardableResult
    public static func insertOrUpdate(
        _ records: some Collection<Record>, key: ImportKey, mode: ImportMode = .upsert,
        in context: ManagedObjectContext, setter: ((Record, Self) throws -> Void)? = nil
    ) throws -> BatchResult<Self> {
        try context.insertOrUpdate(records, into: Self.self, key: key, mode: mode, setter: setter)
    }
}
