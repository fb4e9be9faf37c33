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
    let homes: [EntityHome]

    /// The same by class, as far as somebody has asked.
    @exclusivity(unchecked) private var homesByClass: [ObjectIdentifier: EntityHome] = [:]
    /// The one that was asked for last: mostly many objects of a class are made in turn.
    @exclusivity(unchecked) private var latestHome: (type: ObjectIdentifier, home: EntityHome)?

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

    /// The objects that are or were changed, inserted or deleted, each once.
    @exclusivity(unchecked) var pending: [ManagedObject] = []
    /// How many of them were there when pending changes were processed last; new objects stand behind.
    @exclusivity(unchecked) var processedCount = 0
    /// Those that have changed since pending changes were processed, new ones excepted.
    @exclusivity(unchecked) var touched: [ManagedObject] = []
    /// Those whose deletion has not reached the objects around them.
    var deletions: [ManagedObject] = []
    /// Objects without a row by their numbers; made when somebody asks for one by its id.
    @exclusivity(unchecked) var temporaries: [Int64: ManagedObject]?
    /// The numbers of rows that were objects without one when a child saw them, by the numbers they had then.
    var aliases: [Int64: Int64] = [:]
    /// The numbers of rows that objects turned out to be, by the numbers that they had been given.
    var moves: [RowKey: Int64] = [:]
    /// The numbers of new objects that were given up, and of which children may know.
    var givenUp: Set<RowKey> = []
    /// How often objects have got other numbers than children may know; read from their queues as well.
    let numberTurn = Atomic<Int>(0)
    /// How often those above had when they were asked last.
    var parentTurn = 0
    /// Whether a row may name an object by a number that it will not keep.
    var leadsToNew = false
    /// What all children hold, and nobody else: so it is known whether there are any.
    var children: ChildMark?
    private let mark: ChildMark?
    /// What was taken from the store or forgotten since the last time it was told.
    var changes = ContextChanges()
    /// Whether `pending` keeps its objects; once nobody holds the context any more they are on their own.
    var isAbandoned = false
    var isSaving = false
    /// What was saved in a transaction that is not committed yet; nil where each save is a transaction of its own.
    var bufferedSaves: SavedChanges?
    /// What happens to objects while they are edited one after the other, so that an edit can be undone.
    @exclusivity(unchecked) var trail: ChangeTrail?
    /// What has changed since `willSave` began to be called; nil while it is not.
    var changedInSave: [ManagedObject]?
    /// How many calls wait for what cannot be read, one inside the other.
    var catchers = 0
    /// What could not be read since the innermost of them began.
    var readFailure: (any Error)?

    var willSaveObservers: [Int: (ManagedObjectContext) -> Void] = [:]
    var didSaveObservers: [Int: (ManagedObjectContext, ContextChanges) -> Void] = [:]
    var changeObservers: [Int: (ManagedObjectContext, ContextChanges) -> Void] = [:]
    /// What is watched in saves of other contexts.
    var interests: [Int: Interest] = [:]
    private var lastObserver = 0
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
        mark = parent.map { parent in
            let mark = parent.children ?? ChildMark()
            parent.children = mark
            return mark
        }
        var maps: [Int: IdentityMap] = [:]
        homes = stores.model.entities.map { entity in
            let map = maps[entity.root.index] ?? IdentityMap()
            maps[entity.root.index] = map
            return EntityHome(entity, stores, map: map)
        }
        for home in homes { home.settle(in: self) }
        if mergesSaves { entry = stores.contexts.enter(self) }
    }

    deinit {
        if let entry { stores.contexts.leave(entry) }
        for home in homes { home.leave() }
    }

    /// The model of the objects.
    public var model: Model { stores.model }

    /// Traps if the caller is not where the context belongs.
    @inline(__always)
    func check() { isolation.check() }

    /// Where the objects of an entity live.
    func home(_ entity: Entity) -> EntityHome { homes[entity.index] }

    /// Where the objects of a class live.
    func home<Object: ManagedObject>(_ type: Object.Type) -> EntityHome {
        if let latestHome, latestHome.type == ObjectIdentifier(type) { return latestHome.home }
        let home = homeByClass(type)
        latestHome = (ObjectIdentifier(type), home)
        return home
    }

    private func homeByClass<Object: ManagedObject>(_ type: Object.Type) -> EntityHome {
        if let home = homesByClass[ObjectIdentifier(type)] { return home }
        guard let entity = model[type.entityName] else {
            fatalError("\(type) stands for \(type.entityName), which is no entity of the model")
        }
        let home = home(entity)
        demand(
            home.factory.type is Object.Type,
            "objects of \(entity.name) have the class \(home.factory.type), not \(type)")
        homesByClass[ObjectIdentifier(type)] = home
        return home
    }

    /// The entity of a name.
    ///
    /// - Throws: `ContextError` if the model has none, or no store that is open has its objects.
    public func entity(named name: String) throws -> Entity {
        guard let entity = model[name] else {
            throw ContextError(
                .unknownEntity, "the model has no entity \(name)", hint: "add it to the model, or look at the spelling")
        }
        guard home(entity).storeIndex != nil else {
            throw ContextError(
                .unknownEntity, "the entity \(name) is in no store that is open",
                hint: "open a store for a configuration that contains it")
        }
        return entity
    }

    /// The class of the objects of an entity.
    package func objectClass(of entity: Entity) -> ManagedObject.Type { home(entity).factory.type }

    func nextObserver() -> Int {
        lastObserver += 1
        return lastObserver
    }
}

@available(*, unavailable, message: "a context stays on its queue; pass its PrivateContext, or go to the main actor")
extension ManagedObjectContext: Sendable {}
