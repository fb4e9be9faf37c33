import TributaryGraph
import TributaryImport

/// What the classes of objects say about their import, by the names of their entities.
struct ObjectClasses: Sendable {
    private(set) var mapped = MappedClasses()
    private(set) var hooks: [String: ImportHooks] = [:]

    /// The classes of the objects of a model.
    init(_ model: Model, _ objectClass: (Entity) -> ManagedObject.Type) {
        for entity in model.entities {
            let type = objectClass(entity)
            if type is any CRUDObject.Type { mapped.deletedAsObjects.insert(entity.name) }
            guard let type = type as? any Mapped.Type else { continue }
            mapped.mappings[entity.name] = type.mapping
            let hooks = type.importHooks
            guard !hooks.isEmpty else { continue }
            self.hooks[entity.name] = hooks
            mapped.hooked.insert(entity.name)
        }
    }
}
