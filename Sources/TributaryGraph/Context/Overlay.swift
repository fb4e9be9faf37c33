/// Applies the pending changes of a context to the result of a fetch from its store.
///
/// Deleted objects are removed, changed ones are matched again in memory, inserted ones are added; then the result is
/// sorted, and offset and limit are applied.
struct Overlay {
    private let context: ManagedObjectContext
    private let request: RowRequest
    private let entity: Entity
    private let filter: Filter?

    init(_ context: ManagedObjectContext, _ request: RowRequest, _ entity: Entity) throws {
        self.context = context
        self.request = request
        self.entity = entity
        filter = try request.filter.map { try $0.substituting(request.variables) }
        try filter?.validate()
    }

    /// The objects of the request; `candidates` fetches from the store.
    func objects(_ candidates: (RowRequest) throws -> [ManagedObject]) throws -> [ManagedObject] {
        var wide = request
        wide.limit = nil
        wide.offset = 0
        // Merges objects of one row before the changes are read.
        context.syncTemporaryKeys()
        let reachesOthers = context.reachesChanges(filter, from: entity)
        // The store cannot apply a filter that reads changed objects through relationships.
        if reachesOthers { wide.filter = nil }
        let changed = context.pendingChanges.objects.filter { object in
            !object.state.isDisjoint(with: .anyChange) && isOfEntity(object)
        }
        var found: [ManagedObject] = []
        var seen: Set<ObjectIdentifier> = []
        for object in try candidates(wide) where object.state.isDisjoint(with: [.deleted, .detached]) {
            let needsMatching = reachesOthers || object.state.contains(.updated)
            if try !needsMatching || passes(object) { found.append(object) }
            seen.insert(ObjectIdentifier(object))
        }
        for object in changed where !seen.contains(ObjectIdentifier(object)) {
            if try object.state.isDisjoint(with: [.deleted, .detached]) && passes(object) { found.append(object) }
        }
        return window(try sorted(found.matching { !$0.state.contains(.detached) }))
    }

    private func isOfEntity(_ object: ManagedObject) -> Bool {
        request.includesSubentities ? object.entity.isKind(of: entity) : object.entity == entity
    }

    private func passes(_ object: ManagedObject) throws -> Bool { try filter?.matches(object) ?? true }

    /// Sorts by the sort keys, then stored objects by their keys, then new objects in the order of their insertion.
    private func sorted(_ objects: [ManagedObject]) throws -> [ManagedObject] {
        let byKey = objects.sorted { one, other in
            (one.key > 0) == (other.key > 0) ? abs(one.key) < abs(other.key) : one.key > 0
        }
        return request.sort.isEmpty ? byKey : try request.sort.sorted(byKey)
    }

    private func window(_ objects: [ManagedObject]) -> [ManagedObject] {
        let rest = objects.dropFirst(max(0, request.offset))
        return Array(request.limit.map { rest.prefix($0) } ?? rest)
    }
}

extension ManagedObjectContext {
    /// Whether the changes of this context can affect a request.
    func isAffected(_ request: RowRequest, _ entity: Entity) -> Bool {
        guard !pendingChanges.objects.isEmpty else { return false }
        if pendingChanges.objects.contains(where: { $0.hasChanges && $0.entity.root == entity.root }) { return true }
        return reachesChanges(request.filter, from: entity) || reachesChanges(request.sort, from: entity)
    }

    /// Whether sort keys read changed objects through relationships.
    func reachesChanges(_ sort: [SortKey], from entity: Entity) -> Bool {
        sort.contains { hasChangedObjects(of: FilterReach(.keyPath($0.keyPath), from: entity).entities) }
    }

    /// Whether a filter reads changed objects through relationships.
    func reachesChanges(_ filter: Filter?, from entity: Entity) -> Bool {
        filter.map { hasChangedObjects(of: FilterReach($0, from: entity).entities) } ?? false
    }

    private func hasChangedObjects(of roots: Set<Entity>) -> Bool {
        !roots.isEmpty && pendingChanges.objects.contains { $0.hasChanges && roots.contains($0.entity.root) }
    }
}
