public import TributaryGraph
public import TributaryJSON

/// Creating, updating, keeping and deleting objects by dictionaries.
extension ManagedObjectContext {
    /// Creates, updates, keeps or deletes the object of a dictionary, and marks it as seen unless it is deleted.
    ///
    /// Nothing is saved.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - input: The dictionary.
    ///   - completion: Called with the object, nil if it was deleted, after it was marked.
    /// - Returns: The object; nil if it was deleted.
    /// - Throws: `JSONError` if a member has a wrong type, `ContextError` if a class or relationship is wrong, errors of
    ///   the class, of `completion` and of the store.
    @discardableResult
    public func crud<Object: CRUDObject>(
        _ type: Object.Type = Object.self, with input: CRUDInput,
        completion: (Object?, CRUDState) throws -> Void = { _, _ in }
    ) throws -> Object? {
        try crud(type, with: [input], completion: completion).first
    }

    /// Creates, updates, keeps or deletes an object without a dictionary.
    ///
    /// - Returns: The object; nil if it was deleted.
    /// - Throws: The errors of `crud(_:with:completion:)`.
    @discardableResult
    public func crud<Object: CRUDObject>(
        _ type: Object.Type = Object.self, completion: (Object?, CRUDState) throws -> Void = { _, _ in }
    ) throws -> Object? {
        try crud(type, with: try CRUDInput(), completion: completion)
    }

    /// Creates, updates, keeps or deletes the objects of dictionaries, one after the other.
    ///
    /// Dictionaries with the same key get the same object.
    ///
    /// - Returns: The objects that were not deleted, in the order of their dictionaries.
    /// - Throws: The errors of `crud(_:with:completion:)`.
    @discardableResult
    public func crud<Object: CRUDObject>(
        _ type: Object.Type = Object.self, with inputs: [CRUDInput],
        completion: (Object?, CRUDState) throws -> Void = { _, _ in }
    ) throws -> [Object] {
        let entity = try entity(named: type.entityName)
        var run = CRUDRun(in: self)
        try run.fetch(inputs, of: type, entity)
        // What could not be read without live objects is read again.
        for input in inputs { input.record.clearFailure() }
        var objects: [Object] = []
        for input in inputs {
            let (found, state) = try run.process(input, type, entity)
            let object = found as? Object
            if let object { objects.append(object) }
            try completion(object, state)
        }
        return objects
    }

    /// Creates, updates, keeps or deletes the objects of records, such as those of a `RecordList`.
    ///
    /// - Returns: The objects that were not deleted, in the order of their records.
    /// - Throws: The errors of `crud(_:with:completion:)`.
    @discardableResult
    public func crud<Object: CRUDObject>(
        _ type: Object.Type = Object.self, with records: some Collection<Record>,
        completion: (Object?, CRUDState) throws -> Void = { _, _ in }
    ) throws -> [Object] {
        try crud(type, with: records.map { CRUDInput($0) }, completion: completion)
    }

    /// Creates, updates, keeps or deletes the objects of a text of JSON, which is an array of objects, or one object.
    ///
    /// - Returns: The objects that were not deleted, in their order.
    /// - Throws: The errors of `crud(_:with:completion:)`.
    @discardableResult
    public func crud<Object: CRUDObject>(
        _ type: Object.Type = Object.self, json text: String,
        completion: (Object?, CRUDState) throws -> Void = { _, _ in }
    ) throws -> [Object] {
        try crud(type, with: try RecordList(inMemory: text), completion: completion)
    }

    // MARK: Classes

    /// The relationship of a child.
    func relationship(_ child: CRUDChild, of entity: Entity) throws -> RelationshipProperty {
        guard let relationship = entity.relationship(named: child.relationship) else {
            throw ContextError(
                .unknownProperty, "\(entity.name) has no relationship \(child.relationship), which crudChildren names",
                hint: "it has \(entity.relationships.map(\.name).sorted().joined(separator: ", "))")
        }
        return relationship
    }

    /// The class and the entity of the destinations of a relationship.
    func crudClass(of relationship: RelationshipProperty) throws -> (any CRUDObject.Type, Entity) {
        let entity = relationship.destination
        guard let type = objectClass(of: entity) as? any CRUDObject.Type else {
            throw ContextError(
                .wrongClass, "the class of \(entity.name) does not conform to CRUDObject",
                hint: "let it conform, or write CRUDChild(\"\(relationship.name)\", from: nil)")
        }
        return (type, entity)
    }
}
