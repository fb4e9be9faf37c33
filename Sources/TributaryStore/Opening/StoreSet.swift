package import TributarySQLite

/// The open stores that together contain the entities of a model, and who hears of rows that are written there.
package protocol StoreSet: AnyObject, Sendable {
    /// The model.
    var model: Model { get }
    /// The stores, each with the entities of its configuration.
    var stores: [SQLiteStore] { get }
    /// The store with the table of an entity.
    func store(of entity: Entity) -> SQLiteStore
    /// The index of the store with the table of an entity; nil if no open store has it.
    func storeIndex(of entity: Entity) -> Int?

    /// Whether anyone hears of written rows.
    var hasListeners: Bool { get }
    /// Says that more rows were written than could be listed.
    func announceReload()
    /// Says which rows were written.
    func announce(_ written: [(entity: Entity, inserted: [Int64], updated: [Int64])])
}

extension StoreSet {
    /// Reserves keys for rows of a root entity, and returns the last one.
    package func reserve(_ count: Int, _ root: Entity, _ connection: Connection) throws -> Int64 {
        let last = try connection.integer(
            of: """
                INSERT INTO \(identifier: Schema.counters) ("entity", "last") VALUES (\(root.name), \(count))
                ON CONFLICT ("entity") DO UPDATE SET "last" = "last" + \(count) RETURNING "last"
                """)
        guard let last else { preconditionFailure("internal error: RETURNING returned no key") }
        return last
    }
}
