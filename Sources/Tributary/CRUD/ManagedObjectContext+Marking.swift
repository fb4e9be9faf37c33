public import TributaryGraph

/// Marking objects as seen.
///
/// The marks belong to the context, and are those of its round, until a removal uses them up. A save adds them to a table
/// beside the data, whose rows stay as they are; from then on all contexts without marks of their own see them.
/// `rollback()` and `reset()` discard marks that were not saved.
extension ManagedObjectContext {
    /// Marks an object as seen, with the objects of its `crudChildren` at any depth.
    ///
    /// - Throws: `ContextError` if `crudChildren` is wrong, `StoreError` or `SQLiteError` if the store cannot be read.
    public func markAsSeen(_ object: ManagedObject) throws { try markAsSeen([object]) }

    /// Marks objects as seen, with the objects of their `crudChildren` at any depth.
    ///
    /// - Throws: The errors of `markAsSeen(_:)`.
    public func markAsSeen(_ objects: [ManagedObject]) throws {
        for object in objects { addMark(of: object) }
        try forEachDescendant(of: objects) { addMark(of: $0) }
    }

    /// Marks the object of a class that has an identifier: its `uniqueIdentifier`, or its ID.
    ///
    /// Only an ID reaches the store.
    ///
    /// - Throws: `ContextError` if the model does not have the class.
    public func markAsSeen<Object: ManagedObject>(identifier: some Hashable, of type: Object.Type) throws {
        let entity = try entity(named: type.entityName)
        addMark(of: AnyHashable(identifier), entity)
    }

    /// Whether an object is marked as seen, by itself or by its `uniqueIdentifier`.
    ///
    /// - Throws: `StoreError` or `SQLiteError` if the store cannot be read.
    public func isSeen(_ object: ManagedObject) throws -> Bool {
        let seen = try seenObjects(of: object.entity)
        return seen.contains(object.objectID) || object.givenIdentifier.map(seen.contains(identifier:)) ?? false
    }

    /// Forgets all marks; those in the store with the next save.
    public func forgetMarks() { forgetMarks(ofEntity: nil) }

    /// Forgets the marks of a class, without its subclasses; those in the store with the next save.
    public func forgetMarks<Object: ManagedObject>(of type: Object.Type) { forgetMarks(ofEntity: type.entityName) }

    // MARK: Cascades

    /// Marks one object.
    func addMark(of object: ManagedObject) {
        if !object.isDeleted { addMark(of: object, identifier: object.givenIdentifier) }
    }

    /// Calls `body` with the objects of the `crudChildren` of objects, at any depth, each once; there is one fetch for each
    /// relationship and level.
    func forEachDescendant(of objects: [ManagedObject], _ body: (ManagedObject) -> Void) throws {
        try forEachDescendant(of: objects.map { ($0, try relationships(of: $0)) }, body)
    }

    /// Calls `body` with the objects of some relationships of objects, and those of their `crudChildren` at any depth.
    func forEachDescendant(
        of parents: [(object: ManagedObject, relationships: [RelationshipProperty])], _ body: (ManagedObject) -> Void
    ) throws {
        var reached: Set<ManagedObject> = []
        var parents = parents
        while !parents.isEmpty {
            var owners: [RelationshipProperty: [ManagedObject]] = [:]
            for (object, relationships) in parents where !object.isDeleted && object.context != nil {
                for relationship in relationships { owners[relationship, default: []].append(object) }
            }
            parents = []
            for (relationship, owners) in owners {
                try load(relationship, of: owners)
                for child in owners.flatMap({ $0.destinations(of: relationship) })
                where !child.isDeleted && reached.insert(child).inserted {
                    body(child)
                    parents.append((child, try self.relationships(of: child)))
                }
            }
        }
    }

    private func relationships(of object: ManagedObject) throws -> [RelationshipProperty] {
        guard let object = object as? any CRUDObject else { return [] }
        return try type(of: object).crudChildren.map { try relationship($0, of: object.entity) }
    }
}

extension ManagedObject {
    /// The objects of a relationship.
    func destinations(of relationship: RelationshipProperty) -> [ManagedObject] {
        relationship.isToMany
            ? objects(forKey: relationship.name) : [object(forKey: relationship.name)].compactMap(\.self)
    }

    /// The `uniqueIdentifier` of a class that has another one than the object ID.
    var givenIdentifier: AnyHashable? {
        guard let identifier = (self as? any CRUDObject)?.uniqueIdentifier, !(identifier.base is ObjectID) else {
            return nil
        }
        return identifier
    }
}
