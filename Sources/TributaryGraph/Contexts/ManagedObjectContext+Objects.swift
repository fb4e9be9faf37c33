public import Foundation

/// Inserting, deleting and looking up objects.
extension ManagedObjectContext {
    /// Inserts an object of a class.
    public func insert<Object: ManagedObject>(_ type: Object.Type = Object.self) -> Object {
        check()
        // The registry of a class makes objects of that class or a subclass.
        return unsafeDowncast(insert(registry(type)), to: Object.self)
    }

    /// Inserts an object of an entity, with or without a class.
    ///
    /// - Throws: `ContextError` if the model has no such entity.
    public func insert(entity name: String) throws -> ManagedObject {
        check()
        return insert(registry(try entity(named: name)))
    }

    func insert(_ registry: EntityRegistry, key: Int64? = nil) -> ManagedObject {
        demand(!registry.entity.isAbstract, "\(registry.entity.name) is abstract: it has no objects of its own")
        demand(registry.storeIndex != nil, "\(registry.entity.name) belongs to no open store")
        let object = insert(registry, key: key) { _ in }
        if registry.derived != nil { object.accessFlags = .reportsChange }
        if !temporaryKeys.discarded.isEmpty { temporaryKeys.discarded.remove(RowKey(registry.entity.root, object.key)) }
        if key == nil { object.awakeFromInsert() }
        return object
    }

    /// Inserts an object, under a known key if there is one; `setValues` sets its unique values before it is logged.
    @inline(__always)
    func insert(_ registry: EntityRegistry, key: Int64?, _ setValues: (Row) -> Void) -> ManagedObject {
        let row = registry.newRow()
        setValues(row)
        let object = registry.make(row, key: key ?? stores.temporaryKey())
        object.state = [.inserted, .pending, .modified, .new]
        pendingChanges.objects.append(object)
        editLog?.logInsertion(of: object)
        undoLog?.logInsertion(of: object)
        makeFindable(object, registry)
        return object
    }

    /// Makes an object findable by its key.
    @inline(__always)
    func makeFindable(_ object: ManagedObject, _ registry: EntityRegistry) {
        if object.key > 0 {
            registry.map.insert(object)
        } else if temporaryKeys.objects != nil {
            temporaryKeys.objects?[object.key] = object
        }
    }

    /// Marks an object to be deleted by the next save, and applies its delete rules.
    ///
    /// Fetches no longer return it; its values can be read until the save.
    public func delete(_ object: ManagedObject) {
        check()
        demand(object.registry?.context === self, "an object must be deleted by its own context")
        guard !object.state.contains(.deleted), !object.state.contains(.detached) else { return }
        object.prepareForDeletion()
        // Its values can be read after the row was deleted.
        if object.accessFlags.contains(.fault) { load(object) }
        editLog?.logValues(of: object, beforeDeletion: true)
        undoLog?.logDeletion(of: object)
        object.state.insert(.deleted)
        enqueue(object)
        markChanged(object)
        pendingChanges.deletions.append(object)
    }

    // MARK: Changes

    /// Whether the context has changes to save.
    public var hasChanges: Bool {
        check()
        return pendingChanges.objects.contains { $0.hasChanges }
    }

    /// The objects that have no row yet.
    public var insertedObjects: Set<ManagedObject> { changed { $0.isInserted } }

    /// The objects that differ from their rows.
    public var updatedObjects: Set<ManagedObject> { changed { $0.isUpdated } }

    /// The objects that the next save deletes.
    public var deletedObjects: Set<ManagedObject> { changed { $0.state.contains(.deleted) } }

    /// All objects that are in memory.
    public var registeredObjects: Set<ManagedObject> {
        check()
        return Set(allObjects)
    }

    var allObjects: [ManagedObject] {
        var all = pendingChanges.objects.filter { !$0.state.contains(.detached) && $0.key < 0 }
        if let objects = temporaryKeys.objects { all += objects.values.filter { !$0.state.contains(.pending) } }
        for registry in registries where registry.entity.parent == nil { all += registry.map.all }
        return all
    }

    private func changed(_ isWanted: (ManagedObject) -> Bool) -> Set<ManagedObject> {
        check()
        return Set(pendingChanges.objects.filter(isWanted))
    }

    // MARK: IDs

    /// The object of an ID: the one in memory, or a fault.
    ///
    /// The call does not check that the object has a row.
    public func object(with id: ObjectID) -> ManagedObject {
        check()
        demand(id.stores === stores, "the ID \(id) belongs to another store")
        if let object = registeredObject(for: id) { return object }
        let key = currentKey(id.key, id.entity)
        demand(key > 0, "the ID \(id) belongs to an unsaved object that is not in this context")
        return fault(registry(id.entity), key)
    }

    /// The object of a stored row: the one in memory, or a fault.
    package func object(_ row: RowKey) -> ManagedObject { object(with: ObjectID(stores, row.entity, row.key)) }

    /// The object of an ID with its values, which has a class.
    ///
    /// - Throws: `ContextError` as without a class, and if the object has another class; errors of the store.
    public func existingObject<Object: ManagedObject>(_ type: Object.Type, with id: ObjectID) throws -> Object {
        let object = try existingObject(with: id)
        guard let typed = object as? Object else {
            throw ContextError.wrongClass(object.entity, Swift.type(of: object), not: Object.self)
        }
        return typed
    }

    /// The object of an ID with its values.
    ///
    /// - Throws: `ContextError` if there is no row, or the ID belongs to another store; errors of the store.
    public func existingObject(with id: ObjectID) throws -> ManagedObject {
        check()
        guard id.stores === stores else {
            throw ContextError(.foreignID, "the ID \(id) belongs to another store", hint: "use a context of that store")
        }
        let known = registeredObject(for: id)
        let key = known?.key ?? currentKey(id.key, id.entity)
        if let object = known ?? (key > 0 ? fault(registry(id.entity), key) : nil) {
            if object.accessFlags.contains(.fault) { try loadFaults(around: object, batch: 1) }
            if !object.accessFlags.contains(.fault) { return object }
            if known == nil {
                object.registry?.map.remove(object)
                object.state = .detached
                removalCount += 1
            }
        }
        throw ContextError(.missing, "there is no object \(id)", hint: "it was deleted or never saved")
    }

    /// The object of an ID, if it is in memory.
    public func registeredObject(for id: ObjectID) -> ManagedObject? {
        check()
        guard id.stores === stores else { return nil }
        let registry = registry(id.entity)
        if let object = find(registry, id.key) { return object }
        // It may be registered by the key of a row into which it was merged since.
        guard !id.isTemporary else { return nil }
        syncTemporaryKeys()
        return find(registry, currentKey(id.key, id.entity))
    }

    func find(_ registry: EntityRegistry, _ key: Int64) -> ManagedObject? {
        if key > 0 { return registry.map.find(key) }
        if temporaryKeys.objects == nil {
            temporaryKeys.objects = Dictionary(
                pendingChanges.objects.filter { $0.key < 0 && !$0.state.contains(.detached) }.map { ($0.key, $0) }
            ) { first, _ in first }
        }
        if let object = temporaryKeys.objects?[key] { return object.state.contains(.detached) ? nil : object }
        let currentKey = temporaryKeys.current(key, registry.entity)
        return currentKey > 0 ? registry.map.find(currentKey) : nil
    }

    /// The numbers of the stores of this context.
    package var uniqueIDs: UniqueIDGenerator { stores.uniqueIDs }

    /// The ID of a URI; nil if the URI has no valid ID, or an ID of another store.
    public func objectID(forURI uri: URL) -> ObjectID? { stores.objectID(forURI: uri) }

    /// Whether the store or the parent may have the object.
    func isStored(_ object: ManagedObject) -> Bool { !object.state.contains(.inserted) }
}
