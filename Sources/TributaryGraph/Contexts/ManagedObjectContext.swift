import TributaryConcurrency

/// Fetches, inserts, changes and deletes objects, until a save writes all changes at once.
///
///     let book = context.insert(Book.self)
///     book.title = "The Dispossessed"
///     try context.save()
///
/// There is one object for each row. Every fetch of the context includes its changes, saved or not. A context belongs
/// to a queue: the main context to the main actor, each other context to a serial queue of its own, which its
/// ``PrivateContext`` gives access to. A use on another queue traps.
public final class ManagedObjectContext {
    let stores: ObjectStores
    let isolation: ContextIsolation
    /// The context that receives the saves of this one; nil if the store does.
    let parent: ParentContext?
    /// The registries of all entities, by the index of the entity.
    let registries: [EntityRegistry]

    /// The registries by class, for the classes that were looked up.
    @exclusivity(unchecked) private var registriesByClass: [ObjectIdentifier: EntityRegistry] = [:]
    /// The registry looked up last, because mostly many objects of a class are made in a row.
    @exclusivity(unchecked) private var latestRegistry: (type: ObjectIdentifier, registry: EntityRegistry)?

    /// The behavior of a save if a row has changed since its object was loaded.
    public var mergePolicy = MergePolicy.error
    /// Whether the saves of this context are merged into contexts that merge automatically.
    public var shouldMergeOnSave = true
    /// Whether the saves of other contexts are merged into this context, asynchronously on its queue.
    public var mergesAutomatically = false
    /// Whether an object whose row was deleted becomes a deleted object with empty values when read; otherwise it
    /// traps.
    public var deletesInaccessibleFaults = true
    /// A name for messages.
    public var name: String
    /// Values that the program keeps with the context.
    public var userInfo: [String: any Sendable] = [:]
    /// The number of faults that are loaded at once when the values of one of them are read.
    public var faultBatchSize = 200

    @exclusivity(unchecked) var pendingChanges = PendingChanges()
    let temporaryKeys = TemporaryKeys()
    /// Changes when objects leave the context or return to it, after which lists of destinations are made again.
    @exclusivity(unchecked) var removalCount = 0
    /// The objects that were marked as seen since the last save.
    var seenMarks = SeenMarks()
    /// Tells the parent that it has a child, as long as this context exists.
    private let childMark: ChildMark?
    /// Whether only its objects retain the context, which then does not retain pending objects.
    var isAbandoned = false
    var isSaving = false
    /// The saves in a transaction that is not committed yet; nil while each save is a transaction of its own.
    var bufferedSaves: SavedChanges?
    /// The log of the edits of an `ObjectEditor`, by which an edit is undone; nil without an editor.
    @exclusivity(unchecked) var editLog: EditLog?
    /// Undoes and redoes the changes of this context; nil, the default, keeps nothing for it.
    public var undoManager: ContextUndoManager? { didSet { undoManagerDidChange(from: oldValue) } }
    /// The changes to be registered with the undo manager; nil without one, and while changes are not registered.
    @exclusivity(unchecked) var undoLog: UndoLog?
    /// The objects changed since the current round of `willSave` calls began; nil outside of a save.
    var changedInSave: [ManagedObject]?
    var readFailures = ReadFailures()
    let observers = ContextObservers()
    /// The entry under which this context is notified of the saves of other contexts.
    private var entry: ContextRegistry.Entry?

    /// A context; with `mergesSaves` false it is never notified of the saves of other contexts.
    init(
        _ stores: ObjectStores, _ isolation: ContextIsolation, parent: ManagedObjectContext? = nil, name: String,
        mergesSaves: Bool = true
    ) {
        self.stores = stores
        self.isolation = isolation
        self.name = name
        self.parent = parent.map(ParentContext.init)
        childMark = parent?.temporaryKeys.addChild()
        var maps: [Int: IdentityMap] = [:]
        registries = stores.model.entities.map { entity in
            let map = maps[entity.root.index] ?? IdentityMap()
            maps[entity.root.index] = map
            return EntityRegistry(entity, stores, map: map)
        }
        for registry in registries { registry.context = self }
        if mergesSaves { entry = stores.contexts.add(self) }
    }

    deinit {
        if let entry { stores.contexts.remove(entry) }
        for registry in registries { registry.context = nil }
    }

    /// The model of the objects.
    public var model: Model { stores.model }

    /// Traps if the caller does not run on the queue of the context.
    @inline(__always)
    func check() { isolation.check() }

    func registry(_ entity: Entity) -> EntityRegistry { registries[entity.index] }

    func registry<Object: ManagedObject>(_ type: Object.Type) -> EntityRegistry {
        if let latestRegistry, latestRegistry.type == ObjectIdentifier(type) { return latestRegistry.registry }
        let registry = findRegistry(type)
        latestRegistry = (ObjectIdentifier(type), registry)
        return registry
    }

    private func findRegistry<Object: ManagedObject>(_ type: Object.Type) -> EntityRegistry {
        if let registry = registriesByClass[ObjectIdentifier(type)] { return registry }
        guard let entity = model[type.entityName] else {
            fatalError("\(type) names the entity \(type.entityName), which the model does not have")
        }
        let registry = registry(entity)
        demand(
            registry.factory.type is Object.Type,
            "objects of \(entity.name) have the class \(registry.factory.type), not \(type)")
        registriesByClass[ObjectIdentifier(type)] = registry
        return registry
    }

    /// The entity of a name.
    ///
    /// - Throws: `ContextError` if the model has no such entity, or no open store contains it.
    public func entity(named name: String) throws -> Entity {
        guard let entity = model[name] else {
            throw ContextError(
                .unknownEntity, "the model has no entity \(name)", hint: "add it to the model, or check the spelling")
        }
        guard registry(entity).storeIndex != nil else {
            throw ContextError(
                .unknownEntity, "the entity \(name) belongs to no open store",
                hint: "open a store for a configuration that contains it")
        }
        return entity
    }

    /// Whether an open store has the objects of an entity.
    package func isOpen(_ entity: Entity) -> Bool { registry(entity).storeIndex != nil }

    /// The switches and the log by which the manager creates, updates and deletes objects.
    package var crudSettings: CRUDSettings { stores.crudSettings.withLock { $0 } }

    /// The class of the objects of an entity.
    package func objectClass(of entity: Entity) -> ManagedObject.Type { registry(entity).factory.type }
}

@available(*, unavailable, message: "a context belongs to its queue; pass its PrivateContext, or use the main actor")
extension ManagedObjectContext: Sendable {}
