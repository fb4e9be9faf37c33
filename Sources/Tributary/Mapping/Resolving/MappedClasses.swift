import TributaryGraph

/// What classes say about their import, by the names of their entities.
struct MappedClasses: Sendable {
    private(set) var mappings: [String: Mapping] = [:]
    private(set) var hooks: [String: ImportHooks] = [:]
    /// The entities whose objects have hooks that a deletion calls.
    private(set) var deletedAsObjects: Set<String> = []

    /// No classes.
    init() {}

    /// The classes of the objects of a model.
    init(_ model: Model, _ objectClass: (Entity) -> ManagedObject.Type) {
        for entity in model.entities {
            let type = objectClass(entity)
            if type is any CRUDObject.Type { deletedAsObjects.insert(entity.name) }
            guard let type = type as? any Mapped.Type else { continue }
            mappings[entity.name] = type.mapping
            let hooks = type.importHooks
            if !hooks.isEmpty { self.hooks[entity.name] = hooks }
        }
    }
}
