package import TributaryStore
package import TributarySQLite

/// The objects of an import: what their classes say, and the contexts in which setters make and change them.
package protocol ImportObjects: Sendable {
    /// The stores of the objects.
    var stores: any StoreSet { get }
    /// What the classes say about the mapping of their entities.
    var classes: MappedClasses { get }

    /// The route of an entity whose records become objects because a class has closures.
    ///
    /// - Throws: `ImportError` if the entity has a required relationship that no member sets.
    func makeRoute(of entity: Entity, _ mapping: NestedMapping, makesStubs: Bool) throws -> any ObjectRoute

    /// What works on the objects of each route in one run, all in the same context; nil for a route without a setter.
    func makeWorks(of routes: [RouteObjects?], _ settings: ObjectSettings) -> [(any ObjectWork)?]

    /// Deletes objects one by one, so that the hooks of their classes are called with the reason.
    func delete(_ rows: [RowKey], in store: SQLiteStore, on connection: Connection, reason: String) throws
}
