public import TributaryGraph
public import TributaryJSON

/// Importing JSON in memory, with the objects inside of it.
extension ManagedObjectContext {
    /// Imports an object, or an array of objects, as objects of a class, by the same mapping as a stream.
    ///
    ///     let authors = try context.import(json: text, as: Author.self)
    ///
    /// Objects are found by their keys, or made; nested objects and keys of objects become their relationships. There is
    /// one fetch for each entity and level of nesting. An object without a key is always new. All values are read before
    /// the first object is made, so after an error in the data nothing has changed. Nothing is saved.
    ///
    /// - Parameters:
    ///   - text: The JSON.
    ///   - type: The class.
    ///   - mapping: A mapping that adds to that of the class or the model; its paths come first.
    ///   - stubs: Whether a bare key makes the object that is missing, with nothing but its key.
    /// - Returns: The object of each value, in their order.
    /// - Throws: `JSONError` if the text or a value is wrong, `ImportError` if a mapping is, errors of closures and of the
    ///   store.
    @discardableResult
    public func `import`<Object: ManagedObject>(
        json text: String, as type: Object.Type = Object.self, mapping: Mapping? = nil, stubs: Bool = false
    ) throws -> [Object] {
        try self.import(RecordList(inMemory: text), as: type, mapping: mapping, stubs: stubs)
    }

    /// Imports records as objects of a class.
    ///
    /// - Returns: The object of each record, in their order.
    /// - Throws: The errors of `import(json:as:mapping:stubs:)`.
    @discardableResult
    public func `import`<Object: ManagedObject>(
        _ records: some Collection<Record>, as type: Object.Type = Object.self, mapping: Mapping? = nil,
        stubs: Bool = false
    ) throws -> [Object] {
        try checkClass(of: try entity(named: type.entityName), is: type)
        return try self.import(records, as: type.entityName, mapping: mapping, stubs: stubs)
            // `checkClass` has shown that objects of the entity have this class or a subclass.
            .map { unsafeDowncast($0, to: Object.self) }
    }

    /// Imports records as objects of an entity, with or without a class.
    ///
    /// - Returns: The object of each record, in their order.
    /// - Throws: The errors of `import(json:as:mapping:stubs:)`.
    @discardableResult
    public func `import`(
        _ records: some Collection<Record>, as entityName: String, mapping: Mapping? = nil, stubs: Bool = false
    ) throws -> [ManagedObject] {
        let plan = try objectPlan(of: try entity(named: entityName), mapping)
        guard !plan.units[0].entity.isAbstract else {
            throw ImportError(.route, "\(entityName) is abstract", hint: "name a subentity")
        }
        var reader = ObjectReader(plan)
        let drafts = try records.map { try reader.read($0) }
        var importer = ObjectImporter(plan, in: self, makesStubs: stubs)
        try importer.apply(reader.levels)
        return drafts.compactMap(\.object)
    }

    /// Imports an object of JSON into an existing object, which gets its key as well.
    ///
    /// - Throws: The errors of `import(json:as:mapping:stubs:)`.
    public func `import`(
        json text: String, into object: ManagedObject, mapping: Mapping? = nil, stubs: Bool = false
    ) throws {
        let records = try RecordList(inMemory: text)
        guard records.count == 1 else {
            throw ImportError(.route, "the text has \(records.count) objects", hint: "import one into an object")
        }
        try self.import(records[0], into: object, mapping: mapping, stubs: stubs)
    }

    /// Imports a record into an existing object, which gets its key as well.
    ///
    /// - Throws: The errors of `import(json:as:mapping:stubs:)`.
    public func `import`(
        _ record: Record, into object: ManagedObject, mapping: Mapping? = nil, stubs: Bool = false
    ) throws {
        let plan = try objectPlan(of: object.entity, mapping)
        var reader = ObjectReader(plan)
        try reader.read(record, needsKey: false).object = object
        var importer = ObjectImporter(plan, in: self, makesStubs: stubs)
        try importer.apply(reader.levels)
    }

    private func objectPlan(of entity: Entity, _ mapping: Mapping?) throws -> ObjectPlan {
        let resolver = MappingResolver(Mappings(), MappedClasses(model, objectClass))
        let key =
            try mapping?.key ?? resolver.key(of: entity) ?? ImportKey.constraint(of: entity)?.parts.map(\.attribute)
        return try ObjectPlan(
            try resolver.resolve(entity, mapping, key: key.map { ImportKey($0) }, isKeyless: key == nil), resolver)
    }
}

extension RecordList {
    /// The objects of an array, or one object.
    init(inMemory text: String) throws {
        let isArray = text.utf8.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "[")
        try self.init(json: text, at: try RecordPath(isArray ? "[]" : "."))
    }
}
