import Foundation

import Synchronization
import TributaryConcurrency
package import TributarySQLite

/// The stores that are open under one name, and what all their contexts share: the model, its classes, the numbers of
/// objects that have no row yet.
package final class StoreSet: Sendable {
    /// The model.
    package let model: Model
    let classes: ModelClasses
    /// The stores, each with the entities of its configuration.
    package let stores: [SQLiteStore]
    /// For each entity by its index the store with its table; nil if no configuration that is open contains it.
    private let places: [Int?]
    /// How rows are written, by the index of the entity.
    private let codecs: [EntityCodec?]
    /// What is demanded of objects, by the index of the entity.
    let validators: [Validator]
    let contexts = ContextRegistry()
    private let lastTemporary = Atomic<Int64>(0)
    /// Becomes true when nobody holds the stores any more, and all are closed.
    let end = Monitor(false)

    /// - Throws: `StoreError`, `SQLiteError`, `ModelError` if a relationship leads from one store to another.
    package init(_ model: Model, _ classes: ModelClasses, stores: [SQLiteStore]) throws {
        self.model = model
        self.classes = classes
        self.stores = stores
        var places: [Int?] = []
        var codecs: [EntityCodec?] = []
        var faults: [String] = []
        for entity in model.entities {
            let place = stores.firstIndex { $0.schema.table(of: entity) != nil }
            places.append(place)
            codecs.append(place.map { EntityCodec(entity, in: stores[$0].schema) })
            guard let place else { continue }
            for relationship in entity.relationships
            where stores[place].schema.table(of: relationship.destination) == nil {
                faults.append(
                    "\(entity.name).\(relationship.name) leads into another store; put both entities into one configuration"
                )
            }
        }
        guard faults.isEmpty else { throw ModelError(faults) }
        self.places = places
        self.codecs = codecs
        validators = model.entities.map(Validator.init)
    }

    deinit {
        close()
        end.update { $0 = true }
    }

    /// Closes the stores: whoever still uses them gets an error.
    func close() { for store in stores { store.close() } }

    /// Whether they were closed.
    var isClosed: Bool { stores.contains(where: \.isClosed) }

    /// The store with the table of an entity.
    package func store(of entity: Entity) -> SQLiteStore {
        guard let place = places[entity.index] else {
            preconditionFailure("\(entity.name) is in no store that is open")
        }
        return stores[place]
    }

    /// The place of that store among the stores; nil if there is none.
    package func storeIndex(of entity: Entity) -> Int? { places[entity.index] }

    /// How rows of an entity are written.
    func codec(of entity: Entity) -> EntityCodec {
        guard let codec = codecs[entity.index] else {
            preconditionFailure("\(entity.name) is in no store that is open")
        }
        return codec
    }

    /// Which store has the table of an entity.
    func storeID(of entity: Entity) -> UUID { store(of: entity).id }

    /// A number for an object that has no row yet: it is negative, and nobody in the process gets it again.
    func temporaryKey() -> Int64 { lastTemporary.subtract(1, ordering: .relaxed).newValue }
}

extension StoreSet {
    /// Reserves numbers for rows of a root entity; gives back the last of them.
    package func reserve(_ count: Int, _ root: Entity, _ connection: Connection) throws -> Int64 {
        let row = try connection.value(
            of: """
                INSERT INTO \(identifier: Schema.counters) ("entity", "last") VALUES (\(root.name), \(count))
                ON CONFLICT ("entity") DO UPDATE SET "last" = "last" + \(count) RETURNING "last"
                """)
        guard case .integer(let last) = row else { preconditionFailure("RETURNING gave no number") }
        return last
    }
}
