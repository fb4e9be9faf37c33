import Synchronization
import TributaryConcurrency

/// The open stores of an alias, and the state that all their contexts share: the classes of the model and the temporary
/// keys.
package final class ObjectStores: StoreSet {
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
        let storeIndexes = model.entities.map { entity in
            stores.firstIndex { $0.schema.table(of: entity) != nil }
        }
        var faults: [String] = []
        for (entity, index) in zip(model.entities, storeIndexes) {
            guard let index else { continue }
            for relationship in entity.relationships
            where stores[index].schema.table(of: relationship.destination) == nil {
                faults.append(
                    "\(entity.name).\(relationship.name) refers to another store; put both into one configuration")
            }
        }
        guard faults.isEmpty else { throw ModelError(faults) }
        self.storeIndexes = storeIndexes
        codecs = zip(model.entities, storeIndexes).map { entity, index in
            index.map { EntityCodec(entity, in: stores[$0].schema) }
        }
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

    func codec(of entity: Entity) -> EntityCodec {
        guard let codec = codecs[entity.index] else {
            preconditionFailure("\(entity.name) belongs to no open store")
        }
        return codec
    }

    /// Returns a new temporary key: a negative number, unique among the contexts of the set.
    func temporaryKey() -> Int64 { lastTemporary.subtract(1, ordering: .relaxed).newValue }

    // MARK: Who hears of committed rows

    /// Whether a listener or a context is notified of writes that are made without a context.
    package var hasListeners: Bool { contexts.hasListeners(besides: nil) }

    /// Notifies all contexts that more rows were written than could be listed.
    package func announceReload() { SavedChanges(reloading: self).notifyContexts(except: nil) }

    /// Notifies all contexts of rows that were written without a context.
    package func announce(_ written: [(entity: Entity, inserted: [Int64], updated: [Int64])]) {
        var saved = SavedChanges(self)
        for part in written {
            if !part.inserted.isEmpty { saved.insertedKeys.append(.init(entity: part.entity, keys: part.inserted)) }
            if !part.updated.isEmpty { saved.updatedKeys.append(.init(entity: part.entity, keys: part.updated)) }
        }
        if !saved.isEmpty { saved.notifyContexts(except: nil) }
    }
}
