package import TributaryGraph
package import TributaryImport
package import TributarySQLite

/// The objects of an import into the stores of a manager.
package struct ManagerObjects: ImportObjects {
    private let manager: ContextManager
    private let known: ObjectClasses
    package let stores: any StoreSet

    /// The objects as their classes are now.
    package init(_ manager: ContextManager) {
        self.manager = manager
        let stores = manager.stores
        known = ObjectClasses(stores.model, stores.objectClass)
        self.stores = stores
    }

    package var classes: MappedClasses { known.mapped }

    package func makeRoute(
        of entity: Entity, _ mapping: NestedMapping, makesStubs: Bool
    ) throws -> any ObjectRoute {
        try ImportSetter(ObjectPlan(mapping, known.hooks), makesStubs: makesStubs)
    }

    package func makeWorks(of routes: [RouteObjects?], _ settings: ObjectSettings) -> [(any ObjectWork)?] {
        var shared: PrivateContext?
        return routes.map { objects in
            guard let objects else { return nil }
            guard let setter = objects.route as? ImportSetter else {
                fatalError("internal error: a route of objects without a setter")
            }
            let context = shared ?? newContext()
            shared = context
            return SetterWork(objects: objects, setter: setter, settings: settings, context: context) { newContext() }
        }
    }

    package func delete(
        _ rows: [RowKey], in store: SQLiteStore, on connection: Connection, reason: String
    ) throws {
        try newContext().performAndWait { context in
            try store.within(connection) {
                context.bufferSaves()
                for start in stride(from: 0, to: rows.count, by: ManagerObjects.slice) {
                    for row in rows[start..<min(start + ManagerObjects.slice, rows.count)] {
                        context.object(row).delete(reason: reason)
                    }
                    try context.save()
                    context.reset()
                }
                // Contexts reload, so they need no list of these changes.
                _ = context.takeBufferedSaves()
            }
        }
    }

    /// The number of objects that are deleted together.
    private static let slice = 1000

    private func newContext() -> PrivateContext { manager.newContext(name: "import", mergesSaves: false) }
}
