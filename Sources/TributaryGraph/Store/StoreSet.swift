import Synchronization
import TributaryConcurrency
package import TributarySQLite

/// The open stores of an alias, and the state that all their contexts share: the model, its classes and the temporary
/// keys.
package final class StoreSet: Sendable {
    /// The model.
    package let model: Model
    let classes: ModelClasses
    /// The stores, each with the entities of its configuration.
    package let stores: [SQLiteStore]
    let uniqueIDs: UniqueIDGenerator
    /// The index of the store of each entity, by the index of the entity; nil if no open store has its table.
    private let storeIndexes: [Int?]
    /// The codecs of rows, by the index of the entity.
    private let codecs: [EntityCodec?]
    /// The validators of objects, by the index of the entity.
    let validators: [Validator]
    let contexts = ContextRegistry()
    let crudSettings = Guarded(CRUDSettings())
    private let lastTemporary = Atomic<Int64>(0)
    /// Becomes true when the set was released and all stores are closed.
    let end = Monitor(false)

    /// - Throws: `ModelError` if a relationship refers to another store.
    package init(_ model: Model, _ classes: ModelClasses, stores: [SQLiteStore]) throws {
        self.model = model
        self.classes = classes
        self.stores = stores
        uniqueIDs = UniqueIDGenerator(beside: stores.first)
        var storeIndexes: [Int?] = []
        var codecs: [EntityCodec?] = []
        var faults: [String] = []
        for entity in model.entities {
            let index = stores.firstIndex { $0.schema.table(of: entity) != nil }
            storeIndexes.append(index)
            codecs.append(index.map { EntityCodec(entity, in: stores[$0].schema) })
            guard let index else { continue }
            for relationship in entity.relationships
            where stores[index].schema.table(of: relationship.destination) == nil {
                faults.append(
                    "\(entity.name).\(relationship.name) refers to another store; put both into one configuration"
                )
            }
        }
        guard faults.isEmpty else { throw ModelError(faults) }
        self.storeIndexes = storeIndexes
        self.codecs = codecs
        validators = model.entities.map(Validator.init)
    }

    deinit {
        close()
        end.update { $0 = true }
    }

    /// The class of the objects of an entity.
    package func objectClass(of entity: Entity) -> ManagedObject.Type { classes.factory(entity).type }

    /// Closes the stores; later uses throw an error.
    func close() { for store in stores { store.close() } }

    /// Whether the stores are closed.
    var isClosed: Bool { stores.contains(where: \.isClosed) }

    /// The store with the table of an entity.
    package func store(of entity: Entity) -> SQLiteStore {
        guard let index = storeIndexes[entity.index] else {
            preconditionFailure("\(entity.name) belongs to no open store")
        }
        return stores[index]
    }

    /// The index of the store with the table of an entity; nil if no open store has it.
    package func storeIndex(of entity: Entity) -> Int? { storeIndexes[entity.index] }

    /// The codec of the rows of an entity.
    func codec(of entity: Entity) -> EntityCodec {
        guard let codec = codecs[entity.index] else {
            preconditionFailure("\(entity.name) belongs to no open store")
        }
        return codec
    }

    /// Returns a new temporary key: a negative number, unique among the contexts of the set.
    func temporaryKey() -> Int64 { lastTemporary.subtract(1, ordering: .relaxed).newValue }
}

extension StoreSet {
    /// Reserves keys for rows of a root entity, and returns the last one.
    package func reserve(_ count: Int, _ root: Entity, _ connection: Connection) throws -> Int64 {
        let row = try connection.value(
            of: """
                INSERT INTO \(identifier: Schema.counters) ("entity", "last") VALUES (\(root.name), \(count))
                ON CONFLICT ("entity") DO UPDATE SET "last" = "last" + \(count) RETURNING "last"
                """)
        guard case .integer(let last) = row else { preconditionFailure("internal error: RETURNING returned no key") }
        return last
    }
}
