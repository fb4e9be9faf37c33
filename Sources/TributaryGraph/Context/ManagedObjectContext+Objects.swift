public import Foundation

/// Making and deleting objects.
extension ManagedObjectContext {
    /// Makes an object of a class.
    public func insert<Object: ManagedObject>(_ type: Object.Type = Object.self) -> Object {
        check()
        // The registry of a class makes objects of that class or one below it.
        return unsafeDowncast(insert(registry(type)), to: Object.self)
    }

    /// Makes an object of an entity, with or without a class.
    ///
    /// - Throws: `ContextError` if the model has no such entity.
    public func insert(entity name: String) throws -> ManagedObject {
        check()
        return insert(registry(try entity(named: name)))
    }

    func insert(_ registry: EntityRegistry, key: Int64? = nil) -> ManagedObject {
        demand(!registry.entity.isAbstract, "\(registry.entity.name) is abstract: it has no objects of its own")
        demand(registry.storeIndex != nil, "\(registry.entity.name) is in no store that is open")
        let row = registry.newRow()
        let object = registry.make(row, key: key ?? stores.temporaryKey())
        object.state = [.inserted, .pending, .modified, .new]
        if registry.derived != nil { object.accessFlags = .notes }
        pendingChanges.objects.append(object)
        editLog?.noteInsertion(of: object)
        if object.key > 0 {
            // It has got its permanent id in a child.
            registry.map.insert(object)
        } else if temporaryKeys.objects != nil {
            temporaryKeys.objects?[object.key] = object
        }
        if !temporaryKeys.discarded.isEmpty { temporaryKeys.discarded.remove(RowKey(registry.entity.root, object.key)) }
        if key == nil { object.awakeFromInsert() }
        return object
    }

    /// Makes an object whose key is set before anybody sees it, with the number of its row if it has been reserved.
    @inline(__always)
    func insert(_ registry: EntityRegistry, number: Int64?, _ setKey: (Row) -> Void) -> ManagedObject {
        let row = registry.newRow()
        setKey(row)
        let object = registry.make(row, key: number ?? stores.temporaryKey())
        object.state = [.inserted, .pending, .modified, .new]
        pendingChanges.objects.append(object)
        editLog?.noteInsertion(of: object)
        if number != nil {
            registry.map.insert(object)
        } else if temporaryKeys.objects != nil {
            temporaryKeys.objects?[object.key] = object
        }
        object.awakeFromInsert()
        return object
    }

    /// Marks an object to be deleted by the next save; what depends on it goes with it.
    ///
    /// Fetches no longer find it; until the save it can be read.
    public func delete(_ object: ManagedObject) {
        check()
        demand(object.registry?.context === self, "an object is deleted by its own context")
        guard !object.state.contains(.deleted), !object.state.contains(.detached) else { return }
        object.prepareForDeletion()
        // Its values are still wanted when the row is gone.
        if object.accessFlags.contains(.fault) { load(object) }
        editLog?.noteDeletion(of: object)
        object.state.insert(.deleted)
        enqueue(object)
        markChanged(object)
        pendingChanges.deletions.append(object)
    }

    // MARK: What has changed

    /// Whether a save would have something to do.
    public var hasChanges: Bool {
        check()
        return pendingChanges.objects.contains { !$0.state.isDisjoint(with: .anyChange) }
    }

    /// The objects that have no row yet.
    public var insertedObjects: Set<ManagedObject> {
        changed { $0.contains(.inserted) && !$0.contains(.deleted) }
    }

    /// The objects that differ from their rows.
    public var updatedObjects: Set<ManagedObject> {
        changed { $0.contains(.updated) && $0.isDisjoint(with: [.deleted, .inserted]) }
    }

    /// The objects that the next save deletes.
    public var deletedObjects: Set<ManagedObject> { changed { $0.contains(.deleted) } }

    /// All objects that are in memory.
    public var registeredObjects: Set<ManagedObject> {
        check()
        return Set(allObjects)
    }

    /// All objects that are in memory, each once.
    var allObjects: [ManagedObject] {
        var all = pendingChanges.objects.filter { !$0.state.contains(.detached) && $0.key < 0 }
        if let objects = temporaryKeys.objects { all += objects.values.filter { !$0.state.contains(.pending) } }
        for registry in registries where registry.entity.parent == nil { all += registry.map.all }
        return all
    }

    private func changed(_ isWanted: (ManagedObject.State) -> Bool) -> Set<ManagedObject> {
        check()
        return Set(pendingChanges.objects.filter { isWanted($0.state) })
    }

    // MARK: Ids

    /// The object of an id: the one in memory, or one whose values are loaded when they are asked for.
    ///
    /// Whether there is a row is not looked at.
    public func object(with id: ObjectID) -> ManagedObject {
        check()
        demand(id.stores === stores, "the id \(id) is of another store")
        if let object = registeredObject(for: id) { return object }
        let key = currentKey(id.key, id.entity)
        demand(key > 0, "the id \(id) is of an object that was not saved, and is not in this context")
        return fault(registry(id.entity), key)
    }

    /// The object of an id with its values.
    ///
    /// - Throws: `ContextError` if there is no row, or the id is of another store; what reading throws.
    public func existingObject(with id: ObjectID) throws -> ManagedObject {
        check()
        guard id.stores === stores else {
            throw ContextError(.foreignID, "the id \(id) is of another store", hint: "use a context of that store")
        }
        if let object = registeredObject(for: id) {
            if object.accessFlags.contains(.fault) { try loadFaults(around: object, batch: 1) }
            if !object.accessFlags.contains(.fault) { return object }
        } else if case let key = currentKey(id.key, id.entity), key > 0 {
            let object = fault(registry(id.entity), key)
            if object.accessFlags.contains(.fault) { try loadFaults(around: object, batch: 1) }
            if !object.accessFlags.contains(.fault) { return object }
            object.registry?.map.remove(object)
            object.state = .detached
        }
        throw ContextError(.missing, "there is no object \(id)", hint: "it was deleted, or never saved")
    }

    /// The object of an id, if it is in memory.
    public func registeredObject(for id: ObjectID) -> ManagedObject? {
        check()
        guard id.stores === stores else { return nil }
        let registry = registry(id.entity)
        if let object = find(registry, id.key) { return object }
        // It may be here by the number that it has got since.
        guard !id.isTemporary else { return nil }
        syncTemporaryKeys()
        return find(registry, currentKey(id.key, id.entity))
    }

    /// The object of a number, if it is in memory.
    func find(_ registry: EntityRegistry, _ key: Int64) -> ManagedObject? {
        if key > 0 { return registry.map.find(key) }
        if temporaryKeys.objects == nil {
            temporaryKeys.objects = Dictionary(
                pendingChanges.objects.filter { $0.key < 0 && !$0.state.contains(.detached) }.map { ($0.key, $0) }
            ) { first, _ in first }
        }
        if let object = temporaryKeys.objects?[key] { return object.state.contains(.detached) ? nil : object }
        let number = temporaryKeys.current(key, registry.entity)
        return number > 0 ? registry.map.find(number) : nil
    }

    /// The id that a URI means; nil if it is none, or of another store.
    public func objectID(forURI uri: URL) -> ObjectID? { stores.objectID(forURI: uri) }

    /// Whether the store, or the parent, may know the object.
    func isStored(_ object: ManagedObject) -> Bool { !object.state.contains(.inserted) }
}
