import Foundation
import Synchronization

/// A place where objects are fetched, made, changed and deleted, until a save writes all of it at once.
///
///     let book = context.insert(Book.self)
///     book.title = "The Dispossessed"
///     try context.save()
///
/// There is one object for each row. What has been changed is seen by every fetch of the context, saved or not. A
/// context belongs to a queue: the main one to the main actor, all others to a serial queue of their own, which they are
/// reached on through their ``PrivateContext``. Anything else traps.
public final class ManagedObjectContext {
    let stores: StoreSet
    let isolation: ContextIsolation
    /// The context that gets what this one saves; nil if that is the store.
    let parent: ParentContext?
    /// Where the objects of each entity live, by its index.
    let registries: [EntityRegistry]

    /// The same by class, as far as somebody has asked.
    @exclusivity(unchecked) private var registriesByClass: [ObjectIdentifier: EntityRegistry] = [:]
    /// The one that was asked for last: mostly many objects of a class are made in turn.
    @exclusivity(unchecked) private var latestRegistry: (type: ObjectIdentifier, registry: EntityRegistry)?

    /// What a save does when a row has changed meanwhile.
    public var mergePolicy = MergePolicy.error
    /// Whether the saves of this context are merged into contexts that merge automatically.
    public var shouldMergeOnSave = true
    /// Whether the saves of others are merged into this context, as soon as its queue gets to it.
    public var mergesAutomatically = false
    /// Whether an object whose row is gone becomes a deleted one with empty values when it is read; else that traps.
    public var deletesInaccessibleFaults = true
    /// A name for messages.
    public var name: String
    /// Whatever you want to keep with it.
    public var userInfo: [String: any Sendable] = [:]
    /// How many objects are loaded at once where one is asked for and others like it are not loaded either.
    public var faultBatchSize = 200

    @exclusivity(unchecked) var pendingChanges = PendingChanges()
    let temporaryKeys = TemporaryKeys()
    /// What makes this context known to its parent as long as it lives.
    private let mark: ChildMark?
    /// Whether nothing but its objects holds the context: then it does not hold pending objects.
    var isAbandoned = false
    var isSaving = false
    var saveBuffer = SaveBuffer()
    /// What happens to objects while they are edited one after the other, so that an edit can be undone.
    @exclusivity(unchecked) var editLog: EditLog?
    /// What has changed since `willSave` began to be called; nil while it is not.
    var changedInSave: [ManagedObject]?
    var readFailures = ReadFailures()
    var observers = ContextObservers()
    /// Where saves of other contexts find this one.
    private var entry: ContextRegistry.Entry?

    /// A context that other contexts' saves reach, or one that is reset so often that they need not.
    init(
        _ stores: StoreSet, _ isolation: ContextIsolation, parent: ManagedObjectContext? = nil, name: String,
        mergesSaves: Bool = true
    ) {
        self.stores = stores
        self.isolation = isolation
        self.name = name
        self.parent = parent.map(ParentContext.init)
        mark = parent?.temporaryKeys.addChild()
        var maps: [Int: IdentityMap] = [:]
        registries = stores.model.entities.map { entity in
            let map = maps[entity.root.index] ?? IdentityMap()
            maps[entity.root.index] = map
            return EntityRegistry(entity, stores, map: map)
        }
        for registry in registries { registry.attach(to: self) }
        if mergesSaves { entry = stores.contexts.enter(self) }
    }

    deinit {
        if let entry { stores.contexts.leave(entry) }
        for registry in registries { registry.leave() }
    }

    /// The model of the objects.
    public var model: Model { stores.model }

    /// Traps if the caller is not where the context belongs.
    @inline(__always)
    func check() { isolation.check() }

    /// Where the objects of an entity live.
    func registry(_ entity: Entity) -> EntityRegistry { registries[entity.index] }

    /// Where the objects of a class live.
    func registry<Object: ManagedObject>(_ type: Object.Type) -> EntityRegistry {
        if let latestRegistry, latestRegistry.type == ObjectIdentifier(type) { return latestRegistry.registry }
        let registry = findRegistry(type)
        latestRegistry = (ObjectIdentifier(type), registry)
        return registry
    }

    private func findRegistry<Object: ManagedObject>(_ type: Object.Type) -> EntityRegistry {
        if let registry = registriesByClass[ObjectIdentifier(type)] { return registry }
        guard let entity = model[type.entityName] else {
            fatalError("\(type) stands for \(type.entityName), which is no entity of the model")
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
    /// - Throws: `ContextError` if the model has none, or no store that is open has its objects.
    public func entity(named name: String) throws -> Entity {
        guard let entity = model[name] else {
            throw ContextError(
                .unknownEntity, "the model has no entity \(name)", hint: "add it to the model, or look at the spelling")
        }
        guard registry(entity).storeIndex != nil else {
            throw ContextError(
                .unknownEntity, "the entity \(name) is in no store that is open",
                hint: "open a store for a configuration that contains it")
        }
        return entity
    }

    /// The class of the objects of an entity.
    package func objectClass(of entity: Entity) -> ManagedObject.Type { registry(entity).factory.type }
}

@available(*, unavailable, message: "a context stays on its queue; pass its PrivateContext, or go to the main actor")
extension ManagedObjectContext: Sendable {}
