public import TributaryGraph
public import TributaryImport
public import TributaryJSON

/// Importing JSON in memory, with the objects inside of it.
extension ManagedObjectContext {
    /// Receives, by the names of entities, the members that no property has used.
    public typealias MappingObserver = ([String: MappingReport]) -> Void

    /// Imports an object, or an array of objects, as objects of a class, by the same mapping as a stream.
    ///
    ///     let authors = try context.import(json: text, as: Author.self)
    ///
    /// Objects are found by their keys, or made; nested objects and keys of objects become their relationships. There is
    /// one fetch for each entity and level of nesting. An object without a key is always new. Nothing is saved.
    ///
    /// All values are read before the first object is made, so after an error in the data nothing has changed. Only what
    /// a hook has to agree to is read after it was asked: after an error there, roll back.
    ///
    /// - Parameters:
    ///   - text: The JSON.
    ///   - type: The class.
    ///   - mapping: A mapping that adds to that of the class or the model; its paths come first.
    ///   - stubs: Whether a bare key makes the object that is missing, with nothing but its key, unless the rule of its
    ///     relationship says otherwise: see `PropertyRule.dangling`.
    ///   - report: Called after the import, if objects had members that no property has.
    /// - Returns: The object of each value, in their order.
    /// - Throws: `JSONError` if the text or a value is wrong, `ImportError` if a mapping is, errors of closures and of the
    ///   store.
    @discardableResult
    public func `import`<Object: ManagedObject>(
        json text: String, as type: Object.Type = Object.self, mapping: Mapping? = nil, stubs: Bool = false,
        report: MappingObserver? = nil
    ) throws -> [Object] {
        try self.import(RecordList(inMemory: text), as: type, mapping: mapping, stubs: stubs, report: report)
    }

    /// Imports records as objects of a class.
    ///
    /// - Returns: The object of each record, in their order.
    /// - Throws: The errors of `import(json:as:mapping:stubs:report:)`.
    @discardableResult
    public func `import`<Object: ManagedObject>(
        _ records: some Collection<Record>, as type: Object.Type = Object.self, mapping: Mapping? = nil,
        stubs: Bool = false, report: MappingObserver? = nil
    ) throws -> [Object] {
        for record in records { record.clearFailure() }
        return try objects(of: records.map(\.value), as: type, mapping, stubs, report)
    }

    /// Imports a value, such as one that a hook was asked about: an object, or an array of objects.
    ///
    /// - Returns: The object of each value, in their order.
    /// - Throws: The errors of `import(json:as:mapping:stubs:report:)`.
    @discardableResult
    public func `import`<Object: ManagedObject>(
        _ value: JSON, as type: Object.Type = Object.self, mapping: Mapping? = nil, stubs: Bool = false,
        report: MappingObserver? = nil
    ) throws -> [Object] {
        try objects(of: value.kind == .array ? Array(value.elements) : [value], as: type, mapping, stubs, report)
    }

    private func objects<Object: ManagedObject>(
        of values: [JSON], as type: Object.Type, _ mapping: Mapping?, _ stubs: Bool, _ report: MappingObserver?
    ) throws -> [Object] {
        let entity = try entity(named: type.entityName)
        try checkClass(of: entity, is: type)
        return try importValues(values, into: nil, entity, mapping, stubs, report)
            // `checkClass` has shown that objects of the entity have this class or a subclass.
            .map { unsafeDowncast($0, to: Object.self) }
    }

    /// Imports records as objects of an entity, with or without a class.
    ///
    /// - Returns: The object of each record, in their order.
    /// - Throws: The errors of `import(json:as:mapping:stubs:report:)`.
    @discardableResult
    public func `import`(
        _ records: some Collection<Record>, as entityName: String, mapping: Mapping? = nil, stubs: Bool = false,
        report: MappingObserver? = nil
    ) throws -> [ManagedObject] {
        for record in records { record.clearFailure() }
        return try importValues(records.map(\.value), into: nil, entity(named: entityName), mapping, stubs, report)
    }

    /// Imports an object of JSON into an existing object, which gets its key as well.
    ///
    /// - Throws: The errors of `import(json:as:mapping:stubs:report:)`; `ContextError` if the object was deleted.
    public func `import`(
        json text: String, into object: ManagedObject, mapping: Mapping? = nil, stubs: Bool = false,
        report: MappingObserver? = nil
    ) throws {
        let records = try RecordList(inMemory: text)
        guard records.count == 1 else {
            throw ImportError(.route, "the text has \(records.count) objects", hint: "import one into an object")
        }
        try self.import(records[0], into: object, mapping: mapping, stubs: stubs, report: report)
    }

    /// Imports a record into an existing object, which gets its key as well.
    ///
    /// - Throws: The errors of `import(json:as:mapping:stubs:report:)`; `ContextError` if the object was deleted.
    public func `import`(
        _ record: Record, into object: ManagedObject, mapping: Mapping? = nil, stubs: Bool = false,
        report: MappingObserver? = nil
    ) throws {
        record.clearFailure()
        try self.import(record.value, into: object, mapping: mapping, stubs: stubs, report: report)
    }

    /// Imports a value, such as one that a hook was asked about, into an existing object, which gets its key as well.
    ///
    /// - Throws: The errors of `import(json:as:mapping:stubs:report:)`; `ContextError` if the object was deleted.
    public func `import`(
        _ value: JSON, into object: ManagedObject, mapping: Mapping? = nil, stubs: Bool = false,
        report: MappingObserver? = nil
    ) throws {
        guard object.context != nil, !object.isDeleted else {
            throw ContextError(
                .missing, "the object was deleted, or no longer has a context",
                hint: "fetch or insert the object to import into")
        }
        _ = try importValues([value], into: object, object.entity, mapping, stubs, report)
    }

    private func importValues(
        _ values: [JSON], into object: ManagedObject?, _ entity: Entity, _ mapping: Mapping?, _ stubs: Bool,
        _ report: MappingObserver?
    ) throws -> [ManagedObject] {
        guard !entity.isAbstract else {
            throw ImportError(.route, "\(entity.name) is abstract", hint: "name a subentity")
        }
        let classes = ObjectClasses(model, objectClass)
        let resolver = MappingResolver(Mappings(), classes.mapped)
        let key =
            try mapping?.key ?? resolver.mapping(of: entity).key
            ?? ImportKey.constraint(of: entity)?.parts.map(\.attribute)
        let nested = try NestedMapping(
            [resolver.resolve(entity, mapping, key: key.map { ImportKey($0) }, isKeyless: key == nil)], resolver)
        let plan = ObjectPlan(nested, classes.hooks)
        var reader = ObjectReader(plan, requiresKey: false)
        let drafts = try values.map { try reader.read($0, $0.owner, into: object) }
        var importer = ObjectImporter(plan, in: self, makesStubs: stubs)
        try importer.apply(&reader)
        if let report {
            let scanner = MemberScanner(nested)
            var notes = MemberScanner.Notes()
            for value in values { scanner.scan(value, &notes) }
            let reports = scanner.reports(notes)
            if !reports.isEmpty { report(reports) }
        }
        return drafts.compactMap(\.object)
    }
}

extension RecordList {
    /// The objects of an array, or one object.
    init(inMemory text: String) throws {
        let isArray = text.utf8.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "[")
        try self.init(json: text, at: try RecordPath(isArray ? "[]" : "."))
    }
}
