public import Foundation

/// Some objects of the main context, fetched by a request or passed in, and notifications about their saves.
///
///     let controller = ObjectController(FetchRequest<Author>(where: "city == 'Berlin'"), in: manager.mainContext)
///     controller.filter = { $0.books.count > 3 }
///     controller.onInsertion = { controller, indexes in … }
///     try controller.performFetch()
///
/// Unlike a ``FetchedResultsController`` it has the objects themselves, takes any request, and is notified of saves and
/// not of unsaved changes: each save that concerns the entity, of this context or merged into it, repeats the fetch.
/// Use it for few objects.
///
/// All notifications come later on the main actor, to the delegate and then to the closure that is set by then.
@MainActor public final class ObjectController<Object: ManagedObject> {
    /// The context, which belongs to the main actor.
    public let context: ManagedObjectContext
    /// The request; nil if the objects were passed in.
    public let request: FetchRequest<Object>?
    /// The objects; nil before the first fetch.
    public private(set) var objects: [Object]?
    /// Which of the fetched objects belong to ``objects``, beside the filter of the request.
    public var filter: ((Object) -> Bool)?
    /// The object that is notified before the closures.
    public weak var delegate: (any ObjectControllerDelegate<Object>)?
    /// Called with the indexes of all objects after a fetch, or with the error of a fetch.
    public var onFetch: ((ObjectController, IndexSet, (any Error)?) -> Void)?
    /// Called with the indexes of objects that were changed by a save.
    public var onSave: ((ObjectController, IndexSet) -> Void)?
    /// Called with the indexes of objects that belong to the request since a save.
    public var onInsertion: ((ObjectController, IndexSet) -> Void)?
    /// Called with the indexes that objects had before a save deleted them, or made them no longer match.
    public var onDeletion: ((ObjectController, IndexSet) -> Void)?

    private var observations: [ContextObservation] = []

    /// A controller of the objects of a request, which has none before `performFetch`.
    public convenience init(_ request: FetchRequest<Object>, in context: ManagedObjectContext) {
        self.init(context, request, nil)
    }

    /// A controller of objects of one context; nil if there are none.
    public convenience init?(_ objects: [Object]) {
        guard let context = objects.first?.context else { return nil }
        self.init(context, nil, objects)
    }

    /// A controller of one object.
    public convenience init?(_ object: Object) { self.init([object]) }

    private init(_ context: ManagedObjectContext, _ request: FetchRequest<Object>?, _ objects: [Object]?) {
        context.check()
        demand(context.isolation.isMain, "an ObjectController is for the main context or its scratch children")
        (self.context, self.request, self.objects) = (context, request, objects)
        observations = [
            context.observeDidSave { [weak self] _, changes in
                MainActor.assumeIsolated { self?.contextDidSave(changes) }
            },
            context.observeMerges { [weak self] stage in
                guard case .ended(let saved) = stage else { return }
                MainActor.assumeIsolated { self?.contextDidMerge(saved) }
            },
        ]
    }

    // MARK: Fetching

    /// Fetches the objects of the request.
    ///
    /// - Parameter notifies: Whether the delegate and `onFetch` are called.
    /// - Throws: `FetchError` without a request, and the errors of `ManagedObjectContext.fetch`.
    public func performFetch(notifying notifies: Bool = true) throws {
        do {
            guard let request else {
                throw FetchError(.unsupported, "the controller was made of objects; make one of a request to fetch")
            }
            let fetched = try context.fetch(request).filter(isWanted)
            objects = fetched
            if notifies { notifyOfFetch(IndexSet(fetched.indices), nil) }
        } catch {
            if notifies { notifyOfFetch(IndexSet(), error) }
            throw error
        }
    }

    /// Marks all objects to be deleted by the next save, which takes them out of ``objects``.
    ///
    /// - Throws: `FetchError` if nothing was fetched.
    public func deleteObjects() throws {
        guard let objects else {
            throw FetchError(.unsupported, "nothing was fetched that could be deleted; call performFetch first")
        }
        for object in objects { object.delete() }
    }

    private func isWanted(_ object: Object) -> Bool { filter?(object) ?? true }

    // MARK: Saves

    private func contextDidSave(_ changes: ContextChanges) {
        let isConcerned = [changes.inserted, changes.updated, changes.deleted].contains {
            $0.contains { isOfRequest($0.registry?.entity) }
        }
        update(isConcerned: isConcerned) { changes.updated.contains($0) }
    }

    private func contextDidMerge(_ saved: SavedChanges) {
        let isConcerned =
            saved.isReload
            || [saved.insertedKeys, saved.updatedKeys, saved.deletedKeys].joined().contains { isOfRequest($0.entity) }
        // An import may report many rows, of which few are objects here.
        let own = Dictionary(grouping: objects ?? []) { $0.entity.root }.mapValues { Set($0.map(\.key)) }
        var updated: Set<RowKey> = []
        for group in saved.updatedKeys {
            guard let keys = own[group.entity.root] else { continue }
            updated.formUnion(group.keys.lazy.filter(keys.contains).map { RowKey(group.entity.root, $0) })
        }
        update(isConcerned: isConcerned) { saved.isReload || updated.contains(RowKey($0.entity.root, $0.key)) }
    }

    private func isOfRequest(_ entity: Entity?) -> Bool {
        guard let request, let wanted = context.model[request.entityName], let entity else { return false }
        return entity.isKind(of: wanted) || wanted.isKind(of: entity)
    }

    /// Updates the objects after a save, and notifies of what changed.
    private func update(isConcerned: Bool, _ isUpdated: (Object) -> Bool) {
        guard let before = objects else { return }
        var after = before.filter { $0.state.isDisjoint(with: [.detached, .rowDeleted]) }
        if isConcerned, let request {
            let known = Set(before)
            do {
                // New objects come with their own save, and deleted ones leave with theirs.
                let found = try context.fetch(request).filter {
                    (known.contains($0) || !$0.isInserted) && isWanted($0)
                }
                let leaving = after.filter { $0.isDeleted }
                after = leaving.isEmpty ? found : try request.sort.sorted(found + leaving)
            } catch {
                notifyOfFetch(IndexSet(), error)
            }
        }
        objects = after
        let (old, new) = (Set(before), Set(after))
        func indexes(_ objects: [Object], _ isIncluded: (Object) -> Bool) -> IndexSet {
            IndexSet(objects.indices.filter { isIncluded(objects[$0]) })
        }
        let updated = indexes(after) { old.contains($0) && isUpdated($0) }
        let inserted = indexes(after) { !old.contains($0) }
        let deleted = indexes(before) { !new.contains($0) }
        notify(ofAny: deleted) {
            $0.delegate?.controller($0, didDelete: deleted)
            $0.onDeletion?($0, deleted)
        }
        notify(ofAny: inserted) {
            $0.delegate?.controller($0, didInsert: inserted)
            $0.onInsertion?($0, inserted)
        }
        notify(ofAny: updated) {
            $0.delegate?.controller($0, didSave: updated)
            $0.onSave?($0, updated)
        }
    }

    // MARK: Notifying

    private func notifyOfFetch(_ indexes: IndexSet, _ error: (any Error)?) {
        notify {
            $0.delegate?.controller($0, didFetch: indexes, error: error)
            $0.onFetch?($0, indexes, error)
        }
    }

    /// Calls `body` later, unless there are no `indexes`.
    private func notify(ofAny indexes: IndexSet? = nil, _ body: @escaping @MainActor (ObjectController) -> Void) {
        if indexes?.isEmpty ?? false { return }
        DispatchQueue.main.async { [weak self] in
            MainActor.assumeIsolated { if let self { body(self) } }
        }
    }
}
