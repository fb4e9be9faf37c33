public import Foundation

/// Making and deleting objects.
extension ManagedObjectContext {
    /// Makes an object of a class.
    public func insert<Object: ManagedObject>(_ type: Object.Type = Object.self) -> Object {
        check()
        // The home of a class makes objects of that class or one below it.
        return unsafeDowncast(insert(home(type)), to: Object.self)
    }

    /// Makes an object of an entity, with or without a class.
    ///
    /// - Throws: `ContextError` if the model has no such entity.
    public func insert(entity name: String) throws -> ManagedObject {
        check()
        return insert(home(try entity(named: name)))
    }

    func insert(_ home: EntityHome, key: Int64? = nil) -> ManagedObject {
        demand(!home.entity.isAbstract, "\(home.entity.name) is abstract: it has no objects of its own")
        demand(home.storeIndex != nil, "\(home.entity.name) is in no store that is open")
        let row = home.newRow()
        let object = home.make(row, key: key ?? stores.temporaryKey())
        object.state = [.inserted, .listed, .touched, .fresh]
        if home.derived != nil { object.gate = .notes }
        pending.append(object)
        trail?.noteInsertion(of: object)
        if object.key > 0 {
            // It has got its permanent id in a child.
            home.map.insert(object)
        } else if temporaries != nil {
            temporaries?[object.key] = object
        }
        if !givenUp.isEmpty { givenUp.remove(RowKey(home.entity.root, object.key)) }
        if key == nil { object.awakeFromInsert() }
        return object
    }

    /// Makes an object whose key is set before anybody sees it, with the number of its row if it has been reserved.
    @inline(__always)
    func insert(_ home: EntityHome, number: Int64?, _ setKey: (Row) -> Void) -> ManagedObject {
        let row = home.newRow()
        setKey(row)
        let object = home.make(row, key: number ?? stores.temporaryKey())
        object.state = [.inserted, .listed, .touched, .fresh]
        pending.append(object)
        trail?.noteInsertion(of: object)
        if number != nil {
            home.map.insert(object)
        } else if temporaries != nil {
            temporaries?[object.key] = object
        }
        object.awakeFromInsert()
        return object
    }

    /// Marks an object to be deleted by the next save; what depends on it goes with it.
    ///
    /// Fetches no longer find it; until the save it can be read.
    public func delete(_ object: ManagedObject) {
        check()
        demand(object.home?.context === self, "an object is deleted by its own context")
        guard !object.state.contains(.deleted), !object.state.contains(.detached) else { return }
        object.prepareForDeletion()
        // Its values are still wanted when the row is gone.
        if object.gate.contains(.fault) { load(object) }
        trail?.noteDeletion(of: object)
        object.state.insert(.deleted)
        list(object)
        touch(object)
        deletions.append(object)
    }

    // MARK: What has changed

    /// Whether a save would have something to do.
    public var hasChanges: Bool {
        check()
        return pending.contains { !$0.state.isDisjoint(with: .anyChange) }
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
        var all = pending.filter { !$0.state.contains(.detached) && $0.key < 0 }
        if let temporaries { all += temporaries.values.filter { !$0.state.contains(.listed) } }
        for home in homes where home.entity.parent == nil { all += home.map.all }
        return all
    }

    private func changed(_ isWanted: (ManagedObject.State) -> Bool) -> Set<ManagedObject> {
        check()
        return Set(pending.filter { isWanted($0.state) })
    }

    // MARK: Ids

    /// The object of an id: the one in memory, or one whose values are loaded when they are asked for.
    ///
    /// Whether there is a row is not looked at.
    public func object(with id: ObjectID) -> ManagedObject {
        check()
        demand(id.stores === stores, "the id \(id) is of another store")
        if let object = registeredObject(for: id) { return object }
        let key = number(id.key, id.entity)
        demand(key > 0, "the id \(id) is of an object that was not saved, and is not in this context")
        return fault(home(id.entity), key)
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
            if object.gate.contains(.fault) { try loadFaults(around: object, batch: 1) }
            if !object.gate.contains(.fault) { return object }
        } else if case let key = number(id.key, id.entity), key > 0 {
            let object = fault(home(id.entity), key)
            if object.gate.contains(.fault) { try loadFaults(around: object, batch: 1) }
            if !object.gate.contains(.fault) { return object }
            object.home?.map.remove(object)
            object.state = .detached
        }
        throw ContextError(.missing, "there is no object \(id)", hint: "it was deleted, or never saved")
    }

    /// The object of an id, if it is in memory.
    public func registeredObject(for id: ObjectID) -> ManagedObject? {
        check()
        guard id.stores === stores else { return nil }
        let home = home(id.entity)
        if let object = find(home, id.key) { return object }
        // It may be here by the number that it has got since.
        guard !id.isTemporary else { return nil }
        settleNumbers()
        return find(home, number(id.key, id.entity))
    }

    /// The object of a number, if it is in memory.
    func find(_ home: EntityHome, _ key: Int64) -> ManagedObject? {
        if key > 0 { return home.map.find(key) }
        if temporaries == nil {
            temporaries = Dictionary(
                pending.filter { $0.key < 0 && !$0.state.contains(.detached) }.map { ($0.key, $0) }
            ) { first, _ in first }
        }
        if let object = temporaries?[key] { return object.state.contains(.detached) ? nil : object }
        let number = knownNumber(key, home.entity)
        return number > 0 ? home.map.find(number) : nil
    }

    /// The id that a URI means; nil if it is none, or of another store.
    public func objectID(forURI uri: URL) -> ObjectID? { stores.objectID(forURI: uri) }

    /// Whether the store, or the parent, may know the object.
    func isStored(_ object: ManagedObject) -> Bool { !object.state.contains(.inserted) }
}
