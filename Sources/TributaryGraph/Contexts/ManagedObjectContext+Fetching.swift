import TributarySQLite

extension ManagedObjectContext {
    /// The objects of a request.
    ///
    /// - Throws: `FetchError` or `FilterError` if the request does not match the model, `ContextError` if the class
    ///   does not, `StoreError` or `SQLiteError` if the store cannot be read.
    public func fetch<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> [Object] {
        let found = try throwingReadFailures {
            let found = try objects(RowRequest(request), request)
            if !request.prefetch.isEmpty, let entity = model[request.entityName] {
                for path in request.prefetch { try prefetch(path, of: found, entity) }
            }
            return found
        }
        // Mostly all have exactly this class; the check for subclasses takes longer.
        if !found.holdsForAll({ type(of: $0) == Object.self }), let other = found.first(where: { !($0 is Object) }) {
            throw ContextError.wrongClass(other.entity, type(of: other), not: Object.self)
        }
        // Arrays of references have one memory layout, and each element was checked to be an Object.
        return unsafeBitCast(found, to: [Object].self)
    }

    /// The first object of a request.
    ///
    /// - Throws: The errors of `fetch`.
    public func first<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> Object? {
        var request = request
        request.limit = 1
        return try fetch(request).first
    }

    /// The IDs of the objects of a request; objects without a row have temporary IDs.
    ///
    /// - Throws: The errors of `fetch`.
    public func ids<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> [ObjectID] {
        check()
        let plain = RowRequest(request)
        let entity = try entity(named: request.entityName)
        processPendingChanges()
        if parent != nil || request.includesPendingChanges && isAffected(plain, entity) {
            return try fetch(request).map(\.objectID)
        }
        let store = stores.store(of: entity)
        let query = try FetchCompiler(schema: store.schema, model: model).rows(plain, .keys)
        return try store.read { try query.keys(on: $0) }.map { ObjectID(stores, $0.entity, $0.key) }
    }

    /// The number of objects of a request.
    ///
    /// - Throws: The errors of `fetch`.
    public func count<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> Int {
        check()
        let plain = RowRequest(request)
        let entity = try entity(named: request.entityName)
        processPendingChanges()
        func stored(_ plain: RowRequest) throws -> Int {
            if let parent {
                return try parent.reading { try $0.count(plain.fetchRequest(pending: request.includesPendingChanges)) }
            }
            let store = stores.store(of: entity)
            let compiler = FetchCompiler(schema: store.schema, model: model)
            return try store.read { try compiler.count(plain, on: $0) }
        }
        guard request.includesPendingChanges, isAffected(plain, entity) else { return try stored(plain) }
        return try throwingReadFailures {
            try Overlay(self, plain, entity).count({ try candidates($0, entity, request) }, stored)
        }
    }

    /// The fetch request of a name in the model, with its variables set, for objects of a class.
    ///
    /// - Throws: `ContextError` if the model has none, `FilterError` if its text cannot be read.
    public func request<Object: ManagedObject>(
        _ type: Object.Type = ManagedObject.self, named name: String, variables: [String: FilterValue] = [:]
    ) throws -> FetchRequest<Object> {
        guard let template = model.fetchTemplates[name] else {
            let known = model.fetchTemplates.keys.sorted().joined(separator: ", ")
            throw ContextError(
                .unknownEntity, "the model has no fetch request \(name)",
                hint: "it has \(known.isEmpty ? "none" : known)")
        }
        var request = FetchRequest<Object>(entity: template.entity)
        request.filter = try template.predicate.map { try Filter(format: $0) }
        request.limit = template.limit > 0 ? template.limit : nil
        request.batchSize = template.batchSize
        request.includesSubentities = template.includesSubentities
        request.includesPendingChanges = template.includesPendingChanges
        request.variables = variables
        return request
    }

    // MARK: Objects

    /// The objects of a request, from the store and from the changes of this context.
    private func objects<Object>(_ plain: RowRequest, _ request: FetchRequest<Object>) throws -> [ManagedObject] {
        check()
        let entity = try entity(named: plain.entityName)
        processPendingChanges()
        let isAffected = request.includesPendingChanges && isAffected(plain, entity)
        guard isAffected else {
            return try candidates(plain, entity, request).matching { !$0.state.contains(.detached) }
        }
        return try Overlay(self, plain, entity).objects { try candidates($0, entity, request) }
    }

    /// The objects of a request in the store, or in the parent.
    func candidates<Object>(
        _ plain: RowRequest, _ entity: Entity, _ request: FetchRequest<Object>
    ) throws -> [ManagedObject] {
        let refreshing = request.refreshesLoadedObjects
        if let parent {
            return try fetchFromParent(
                parent, plain, pending: request.includesPendingChanges, refreshing: refreshing)
        }
        let store = stores.store(of: entity)
        let compiler = FetchCompiler(schema: store.schema, model: model)
        guard request.batchSize > 0 else {
            return try read(try compiler.rows(plain), entity, refreshing: refreshing)
        }
        // Only keys are read here; the values are loaded in batches when objects are accessed.
        let query = try compiler.rows(plain, .keys)
        let keys = try store.read { try query.keys(on: $0) }
        let objects = keys.map { key in
            let registry = registry(key.entity)
            if let object = registry.map.find(key.key) { return object }
            registry.batchSize = request.batchSize
            return exactFault(registry, key.key)
        }
        if refreshing {
            let loaded = objects.filter { !$0.accessFlags.contains(.fault) }.map(\.key)
            for slice in loaded.slices(of: request.batchSize) {
                try loadRows(entity, Array(slice), refreshing: true)
            }
        }
        return objects
    }

    // MARK: Prefetching

    /// Loads the destinations of a relationship of many objects, with one query.
    package func load(_ relationship: RelationshipProperty, of objects: [ManagedObject]) throws {
        let present = objects.filter { $0.state.isDisjoint(with: [.deleted, .detached]) }
        guard !present.isEmpty else { return }
        try throwingReadFailures { try prefetch(relationship.name, of: present, relationship.entity) }
    }

    /// Loads the objects along a path such as `author.books`, with one query for each step.
    private func prefetch(_ path: String, of objects: [ManagedObject], _ entity: Entity) throws {
        let compiler = FetchCompiler(schema: stores.store(of: entity).schema, model: model)
        var current = objects
        for relationship in try compiler.relationships(along: path, from: entity) {
            let slot = relationship.slot
            if relationship.isToMany {
                let owners = current.filter {
                    isStored($0) && !$0.state.contains(.detached) && !($0.manyObjects(slot)?.isLoaded ?? false)
                }
                if !owners.isEmpty { try loadMany(relationship, of: owners) }
                current = Array(Set(current.flatMap { $0.many(slot) }))
                continue
            }
            let destination = registry(relationship.destination)
            let faults = current.filter { $0.accessFlags.contains(.fault) }
            if !faults.isEmpty, let root = faults.first?.entity.root { try loadRows(root, faults.map(\.key)) }
            var wanted: Set<Int64> = []
            for object in current where object.row.kind(slot) == .integer {
                let key = object.row.integer(slot)
                if find(destination, key)?.accessFlags.contains(.fault) ?? true { wanted.insert(key) }
            }
            let loaded = try wanted.isEmpty ? [] : loadRows(relationship.destination, wanted.sorted())
            withExtendedLifetime(loaded) { current = Array(Set(current.compactMap { $0.one(slot) })) }
        }
    }
}
