import TributaryGraph
import TributaryJSON

/// An import, checked and resolved: which tables, which columns, which numbers, how much memory for what.
struct ImportPlan: Sendable {
    /// A route, resolved.
    struct Lane: Sendable {
        let route: ImportRoute
        let entity: Entity
        /// The table; nil for a route with a closure.
        let table: BulkTable?
        let making: ChunkMaker.Making
        /// What is needed to make objects, if a closure sets them.
        var objects: Objects?
        /// What is needed to add columns, if they are found.
        var growing: GrowingTable?
    }

    /// What makes objects of records.
    struct Objects: Sendable {
        let key: RecordKey
        /// The columns of the key.
        let table: BulkTable
        let setter: @Sendable (Record, ManagedObject) throws -> Void
        /// What decides which value goes where, as far as that can be said.
        let mapping: String
    }

    /// How the memory is shared out.
    struct Memory: Sendable {
        /// Chunks of the reader.
        let reading: Int
        /// Chunks that are prepared.
        let feed: Int
        /// Rows that wait for the end of their group.
        let group: Int
        /// Pages of the database, in KiB.
        let cacheKiB: Int
        /// The same for those that look rows up, all together.
        let lookupCacheKiB: Int
        /// The keys that a first load has seen.
        let filter: Int

        init(_ bytes: Int) {
            let bytes = max(32 << 20, bytes)
            // The process itself takes the rest.
            let free = max(bytes / 2, bytes - (24 << 20))
            reading = min(6 << 20, free / 19)
            feed = free / 11
            group = free / 4
            cacheKiB = free * 2 / (13 << 10)
            // Keys are looked up in their order: a page is needed once, and the system has it at hand.
            lookupCacheKiB = bytes / (32 << 10)
            filter = bytes / 8
        }
    }

    let stores: StoreSet
    let store: SQLiteStore
    let lanes: [Lane]
    let numbering: Numbering
    let maker: ChunkMaker
    let memory: Memory
    let identity: ImportIdentity

    init(
        _ stores: StoreSet, routes: [ImportRoute], sources: [any ByteSource], options: ImportOptions
    ) throws {
        self.stores = stores
        guard !routes.isEmpty else {
            throw ImportError(.route, "the import has no route", hint: "add one: which entity gets the records")
        }
        guard routes.count == 1 || routes.allSatisfy({ $0.path != nil }) else {
            throw ImportError(.route, "several routes need a path each", hint: "say at: where the records of each are")
        }
        lanes = try routes.map { try ImportPlan.lane($0, stores) }
        let entities = lanes.map(\.entity)
        store = stores.store(of: entities[0])
        for entity in entities where stores.store(of: entity) !== store {
            throw ImportError(
                .route, "\(entities[0].name) and \(entity.name) are in different stores",
                hint: "import them one after the other")
        }
        numbering = Numbering(stores, entities)
        memory = Memory(options.maxMemory)
        maker = ChunkMaker(
            makings: lanes.map(\.making), tables: numbering.places(of: entities), tableCount: numbering.roots.count,
            stopsAtRefusal: options.onError == .stop, rejectedBytes: options.reading.limits.rejectedBytes)
        let hashes = (stores.model.versionHashes() ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        identity = ImportIdentity(
            sources: sources,
            routes: routes.map { route in
                ImportIdentity.Route(
                    entity: route.entityName, path: route.path?.description,
                    key: route.key?.texts)
            }, options: options, model: lanes.contains { $0.growing != nil } ? "" : hashes.joined(separator: "\n"),
            mapping: lanes.map(\.mapping).joined(separator: "\n"))
    }

    private static func lane(_ route: ImportRoute, _ stores: StoreSet) throws -> Lane {
        guard let entity = stores.model[route.entityName] else {
            let known = stores.model.entities.map(\.name).joined(separator: ", ")
            throw ImportError(.route, "the model has no entity \(route.entityName)", hint: "it has \(known)")
        }
        guard !entity.isAbstract else {
            let below = entity.descendants.filter { !$0.isAbstract }.map(\.name).joined(separator: ", ")
            throw ImportError(.route, "\(entity.name) is abstract", hint: "import into \(below)")
        }
        guard stores.storeIndex(of: entity) != nil else {
            throw ImportError(.route, "\(entity.name) is in no store that is open")
        }
        switch route.kind {
        case .objects(let setter):
            guard let key = try route.key ?? RowMaker.constraint(of: entity) else {
                throw ImportError(.route, "nothing tells one \(entity.name) from another", hint: "name the key")
            }
            return try lane(route, entity, stores, key, "a closure", setter)
        case .found:
            let names = entity.attributes.map(\.name)
            let maker = FoundMaker(names, key: route.key)
            let growing = GrowingTable(entity, key: route.key?.parts.map(\.attribute) ?? [])
            return Lane(
                route: route, entity: entity, table: growing.table(entity, names), making: .found(maker),
                growing: growing)
        case .rows where MappedSetter.isNeeded(for: entity):
            let key = ImportKey(parts: try RowMaker.key(entity, route))
            guard !key.parts.isEmpty else {
                throw ImportError(
                    .route, "\(entity.name) has derived attributes, and nothing tells one from another",
                    hint: "name the key")
            }
            let setter = try MappedSetter(entity, key: key)
            return try lane(route, entity, stores, key, setter.description) { try setter($0, $1) }
        case .rows:
            let maker = try RowMaker(entity, route, stores)
            return Lane(route: route, entity: entity, table: maker.table, making: .rows(maker))
        }
    }
}

extension ImportPlan {
    /// The lane of a route whose objects are set one by one.
    private static func lane(
        _ route: ImportRoute, _ entity: Entity, _ stores: StoreSet, _ key: ImportKey, _ mapping: String,
        _ setter: @escaping @Sendable (Record, ManagedObject) throws -> Void
    ) throws -> Lane {
        let key = try RecordKey(key, of: entity)
        let table = BulkTable(
            entity, attributes: entity.attributes.filter { !$0.isTransient }, key: key.attributes,
            schema: stores.store(of: entity).schema)
        return Lane(
            route: route, entity: entity, table: nil, making: .records(KeyHashes(key)),
            objects: Objects(key: key, table: table, setter: setter, mapping: mapping))
    }
}

extension ImportPlan.Lane {
    /// What decides which value goes where.
    fileprivate var mapping: String {
        switch making {
        case .rows(let maker): return maker.description
        case .found: return "\(entity.name): found"
        case .records: return "\(entity.name): \(objects?.mapping ?? "")"
        }
    }
}
