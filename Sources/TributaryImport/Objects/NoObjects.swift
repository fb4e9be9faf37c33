import TributaryStore
import TributarySQLite

/// The objects of an import into a database without classes: there are none.
struct NoObjects: ImportObjects {
    let stores: any StoreSet
    var classes: MappedClasses { MappedClasses() }

    func makeRoute(of entity: Entity, _ mapping: NestedMapping, makesStubs: Bool) throws -> any ObjectRoute {
        fatalError("internal error: without classes no record becomes an object")
    }

    func makeWorks(of routes: [RouteObjects?], _ settings: ObjectSettings) -> [(any ObjectWork)?] {
        routes.map { _ in nil }
    }

    func delete(_ rows: [RowKey], in store: SQLiteStore, on connection: Connection, reason: String) throws {
        fatalError("internal error: without classes no deletion has hooks")
    }
}
