import Foundation

/// Lays what has changed in a context over what its store finds.
///
/// What was deleted goes, what was changed is asked again in memory, what was inserted joins; then come order and window.
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

    /// The objects of the request; `candidates` asks the store.
    func objects(_ candidates: (RowRequest) throws -> [ManagedObject]) throws -> [ManagedObject] {
        var wide = request
        wide.limit = 0
        wide.offset = 0
        // Two objects that turn out to be one are one before it is asked what has changed.
        context.syncTemporaryKeys()
        let reachesOthers = context.reachesChanges(filter, from: entity)
        // Where the filter looks at changed objects through relationships, any object may pass or fail by them.
        if reachesOthers { wide.filter = nil }
        let changed = context.pendingChanges.objects.filter { object in
            !object.state.isDisjoint(with: .anyChange) && isOfEntity(object)
        }
        var found: [ManagedObject] = []
        var seen: Set<ObjectIdentifier> = []
        for object in try candidates(wide) where object.state.isDisjoint(with: [.deleted, .detached]) {
            let mustAsk = reachesOthers || object.state.contains(.updated)
            if try !mustAsk || passes(object) { found.append(object) }
            seen.insert(ObjectIdentifier(object))
        }
        for object in changed where !seen.contains(ObjectIdentifier(object)) {
            if try object.state.isDisjoint(with: [.deleted, .detached]) && passes(object) { found.append(object) }
        }
        return window(try sorted(found.those { !$0.state.contains(.detached) }))
    }

    private func isOfEntity(_ object: ManagedObject) -> Bool {
        request.includesSubentities ? object.entity.isKind(of: entity) : object.entity == entity
    }

    private func passes(_ object: ManagedObject) throws -> Bool { try filter?.matches(object) ?? true }

    /// By the keys, then those with a row by their numbers, then the new ones in the order in which they were made.
    private func sorted(_ objects: [ManagedObject]) throws -> [ManagedObject] {
        let byNumber = objects.sorted { one, other in
            (one.key > 0) == (other.key > 0) ? abs(one.key) < abs(other.key) : one.key > 0
        }
        return request.sort.isEmpty ? byNumber : try request.sort.sorted(byNumber)
    }

    private func window(_ objects: [ManagedObject]) -> [ManagedObject] {
        let rest = objects.dropFirst(max(0, request.offset))
        return Array(request.limit > 0 ? rest.prefix(request.limit) : rest)
    }
}

extension ManagedObjectContext {
    /// Whether what has changed here can matter for a request.
    func isAffected(_ request: RowRequest, _ entity: Entity) -> Bool {
        guard !pendingChanges.objects.isEmpty else { return false }
        if pendingChanges.objects.contains(where: { $0.hasChanges && $0.entity.root == entity.root }) { return true }
        return reachesChanges(request.filter, from: entity)
            || request.sort.contains { reachesChanges(.keyPath($0.keyPath), from: entity) }
    }

    /// Whether a filter looks through relationships at objects of which some have changed.
    func reachesChanges(_ filter: Filter?, from entity: Entity) -> Bool {
        guard let filter else { return false }
        let reach = FilterReach(filter, from: entity)
        guard !reach.entities.isEmpty else { return false }
        return pendingChanges.objects.contains { $0.hasChanges && reach.entities.contains($0.entity.root) }
    }

    private func reachesChanges(_ path: FilterExpression, from entity: Entity) -> Bool {
        let reach = FilterReach(path, from: entity)
        return pendingChanges.objects.contains { $0.hasChanges && reach.entities.contains($0.entity.root) }
    }
}
