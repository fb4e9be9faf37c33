import TributaryStore
import TributaryJSON
import TributarySQLite

/// An import, checked and resolved: its tables and columns, and the distribution of primary keys and memory.
struct ImportPlan: Sendable {
    /// A route with its entity and table.
    struct ResolvedRoute: Sendable {
        let route: ImportRoute
        let entity: Entity
        /// The table; nil for a route with a setter.
        var table: BulkTable?
        let making: ChunkMaker.Making
        /// The parts that make objects; nil for a route without a setter.
        var objects: RouteObjects?
        /// The table to add columns to; nil unless they are inferred.
        var growing: GrowingTable?
        /// The table of another program; nil for a table of this library.
        var foreign: Foreign?
    }

    let stores: any StoreSet
    let store: SQLiteStore
    /// What the import needs of objects.
    let objects: any ImportObjects
    let routes: [ResolvedRoute]
    let numbering: Numbering
    /// Whether a setter takes the context: then all routes are written in feed order, by one thread.
    let takesContext: Bool
    /// The tables of nested objects; nil if no route has relations.
    let related: RelatedPlan?
    let maker: ChunkMaker
    let memory: ImportMemory
    /// What computes the derived attributes of rows.
    let derivations: [RowDerivation]
    /// Whether a table that the import may write has triggers, or rows that a unique index of another program may refuse.
    let hasTriggers: Bool
    let identity: ImportIdentity

    init(
        _ objects: any ImportObjects, routes: [ImportRoute], sources: [any ByteSource], options: ImportOptions
    ) throws {
        let stores = objects.stores
        (self.objects, self.stores) = (objects, stores)
        try options.check(routes)
        for name in options.mappings.entities.keys.sorted() where stores.model[name] == nil {
            throw ImportError.unknownEntity(name, in: stores.model)
        }
        let resolver = MappingResolver(options.mappings, objects.classes)
        // Objects are not written together with nested rows.
        let takesRelations = routes.allSatisfy { route in
            guard case .rows = route.kind else { return false }
            return !resolver.hasHooks(route, stores.model)
        }
        let resolvedRoutes = try routes.map {
            try ImportPlan.resolve(
                $0, objects, resolver, options, takesRelations: takesRelations)
        }
        related = try ImportPlan.related(resolvedRoutes, resolver, stores, options)
        self.routes = resolvedRoutes
        let inferred = resolvedRoutes.filter { $0.growing != nil }.map(\.entity.name)
        if let name = inferred.first(where: { name in inferred.count { $0 == name } > 1 }) {
            throw ImportError(
                .route, "two routes infer the columns of \(name)",
                hint: "import one after the other, or name another table for one of them")
        }
        if let sync = options.sync {
            try ImportPlan.check(sync, options, resolvedRoutes, hasNested: related != nil)
        }
        if options.mode.needsKey, let route = self.routes.first(where: \.isKeyless) {
            throw ImportError.missingKey(of: route.entity.name, options.mode)
        }
        let entities = self.routes.map(\.entity)
        let used = self.routes.map { $0.foreign == nil ? stores.store(of: $0.entity) : stores.stores[0] }
        store = used[0]
        for (other, entity) in zip(used, entities) where other !== store {
            throw ImportError(
                .route, "\(entities[0].name) and \(entity.name) are in different stores",
                hint: "import them one after the other")
        }
        let own = self.routes.filter { $0.foreign == nil }.map(\.entity)
        for entity in related?.entities ?? own {
            let change = try store.importing { [store] in try store.alteration(of: entity, on: $0) }
            if let change {
                throw ImportError(
                    .route, "\(store.name): another program has changed \(entity.name): \(change)",
                    remedy: .restoreTable)
            }
        }
        numbering = Numbering(
            stores, related?.entities ?? entities,
            foreign: Set(self.routes.filter { $0.foreign != nil }.map(\.entity.name)))
        let rows = self.routes.filter { $0.objects == nil && $0.foreign == nil }.map(\.entity)
        derivations = try ImportPlan.derivations(of: related?.entities ?? rows, in: store.schema)
        // A survey has a filter of its own.
        memory = ImportMemory(options.maxMemory - (options.survey == nil ? 0 : 16 << 20), isRelated: related != nil)
        let takesContext = self.routes.contains { $0.objects?.route.takesContext ?? false }
        self.takesContext = takesContext
        let triggered = try store.importing { try $0.tablesWithTriggers() }
        let constrained = try store.importing { try $0.tablesWithUniqueIndexes() }
        let written = takesContext ? stores.model.entities : related?.entities ?? entities
        let isConstrained = written.contains { constrained.contains($0.root.name) }
        let isInferredOnly = self.routes.allSatisfy { $0.growing != nil }
        hasTriggers = written.contains { triggered.contains($0.root.name) } || isConstrained && !isInferredOnly
        var maker = ChunkMaker(
            makings: self.routes.map(\.making), related: related, tables: numbering.rootIndexes(of: entities),
            tableCount: numbering.roots.count,
            choice: RouteChoice(routes), keepsFeedOrder: takesContext,
            stopsAtReject: options.onError == .stop, rejectedBytes: options.reading.limits.rejectedBytes,
            keys: options.sync == nil ? [] : ImportPlan.recordKeys(self.routes, related))
        // A trigger or a unique index of another program may refuse any row.
        maker.keepsRecords = hasTriggers || isConstrained
        self.maker = maker
        let isInferred = self.routes.contains {
            $0.growing != nil || $0.foreign != nil || $0.route.discovery != nil
        }
        identity = ImportIdentity(
            routes, sources, options, model: isInferred ? "" : stores.model.identityText,
            mappings: self.routes.map(\.mapping) + (isInferred ? [] : related?.mappings ?? []))
        try checkStubs()
        if let scope = options.sync?.scope { try check(scope) }
    }

    private static func resolve(
        _ route: ImportRoute, _ objects: any ImportObjects, _ resolver: MappingResolver, _ options: ImportOptions,
        takesRelations: Bool
    ) throws -> ResolvedRoute {
        let stores = objects.stores
        if case .table(let settings) = route.kind {
            let store = stores.stores[0]
            let table = try store.read { try ForeignTable(route.entityName, on: $0) }
            return try resolve(route, settings, table, in: store.name, options)
        }
        guard let entity = stores.model[route.entityName] else {
            throw ImportError.unknownEntity(route.entityName, in: stores.model)
        }
        guard !entity.isAbstract else {
            let below = entity.descendants.filter { !$0.isAbstract }.map(\.name).shortList
            throw ImportError(.route, "\(entity.name) is abstract", hint: "import into \(below)")
        }
        guard stores.storeIndex(of: entity) != nil else {
            throw ImportError(.route, "no open store contains \(entity.name)")
        }
        switch route.kind {
        case .table: fatalError("internal error: a table of another program has no entity")
        case .objects(let setter):
            guard let key = try route.key ?? ImportKey.constraint(of: entity) else {
                throw ImportError(
                    .route, "neither the route nor the model has a key for \(entity.name)", hint: "name the key")
            }
            guard setter.takesContext || !entity.derivesFromOtherObjects else {
                throw ImportError(
                    .setter, "derived attributes of \(entity.name) are computed from other objects",
                    remedy: .takeContext)
            }
            return try resolve(route, entity, stores, RecordKey(key, of: entity), "a closure", setter)
        case .inferred(let inference):
            guard stores.model.declaration.isInferred else {
                throw ImportError(
                    .route, "the columns of \(entity.name) are defined by the model, and cannot be inferred",
                    hint: "use a route of rows, or open the store with ContextManager(inferring:key:at:)")
            }
            guard entity.relationships.isEmpty else {
                throw ImportError(
                    .route, "\(entity.name) has relations to other tables", hint: "import with --relations again")
            }
            let known = entity.declaration.uniquenessConstraints.first
            let wanted = route.key?.parts.map(\.attribute)
            guard known == wanted else {
                throw ImportError.otherKey(known, wanted ?? [], of: entity.name, in: stores.store(of: entity).name)
            }
            let store = stores.store(of: entity)
            try inference.shaping?.check(key: wanted ?? [])
            try inference.check(key: wanted ?? [], of: entity)
            var names = entity.attributes.map(\.name)
            // The first rows add it.
            if let name = options.sync?.softDelete, !names.contains(name) { names.append(name) }
            let maker = try InferredRowMaker(names, key: route.key, inference, at: route.path)
            let isConstrained = try store.importing { try $0.hasUniqueIndex(of: entity.name) }
            let growing = GrowingTable(
                entity, key: wanted ?? [], defaults: maker.defaults.mapValues { $0.value },
                hasOtherConstraints: isConstrained)
            return ResolvedRoute(
                route: route, entity: entity, table: growing.table(entity, names), making: .inferred(maker),
                growing: growing)
        case .rows:
            let hasHooks = resolver.hasHooks(route, stores.model)
            let mapping = try resolver.resolve(
                entity, route.mapping, key: route.key, isKeyless: route.isKeyless,
                takesRelations: takesRelations || hasHooks)
            guard hasHooks else {
                if !mapping.relations.isEmpty {
                    return ResolvedRoute(route: route, entity: entity, table: nil, making: .related(mapping))
                }
                let maker = try RowMaker(mapping, stores.store(of: entity).schema)
                return ResolvedRoute(route: route, entity: entity, table: maker.table, making: .rows(maker))
            }
            guard !mapping.key.isEmpty else {
                throw ImportError(
                    .route, "\(entity.name) has import hooks, so its records need a key", hint: "name the key")
            }
            let nested = try NestedMapping([mapping], resolver)
            let setter = try objects.makeRoute(of: entity, nested, makesStubs: options.dangling == .stub)
            return try resolve(
                route, entity, stores, mapping.recordKey(), mapping.description, setter, scanner: MemberScanner(nested))
        }
    }
}

extension ImportPlan {
    /// A route with a setter.
    private static func resolve(
        _ route: ImportRoute, _ entity: Entity, _ stores: any StoreSet, _ key: RecordKey, _ mapping: String,
        _ setter: any ObjectRoute, scanner: MemberScanner? = nil
    ) throws -> ResolvedRoute {
        let table = BulkTable(
            entity, attributes: entity.attributes.filter { !$0.isTransient }, key: key.attributes,
            schema: stores.store(of: entity).schema)
        return ResolvedRoute(
            route: route, entity: entity, table: nil, making: .records(setter.takesContext ? nil : key, scanner),
            objects: RouteObjects(key: key, table: table, route: setter, mapping: mapping))
    }
}

extension ImportPlan.ResolvedRoute {
    /// The paths of its mapping; none for a route with a setter, and for columns that are the members of records.
    var mappedPaths: [MappedPath] {
        switch making {
        case .rows(let maker): return maker.mappedPaths
        case .inferred(let maker):
            let key = foreign?.key ?? route.key?.parts.map(\.attribute) ?? []
            return (maker.inference.shaping?.columns ?? []).map {
                MappedPath($0.name, $0.path, isKey: key.contains($0.name))
            }
        case .records, .related: return []
        }
    }

    /// The mapping as text, to identify the import.
    fileprivate var mapping: String {
        switch making {
        case .rows(let maker): return maker.description
        case .inferred: return "\(entity.name): inferred"
        case .related(let mapping): return "\(entity.name): \(route.discovery ?? mapping.description)"
        case .records: return "\(entity.name): \(objects?.mapping ?? "")"
        }
    }
}
