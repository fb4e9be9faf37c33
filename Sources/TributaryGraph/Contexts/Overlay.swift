import Foundation

/// Applies the pending changes of a context to the result of a fetch from its store.
///
/// The store answers for the objects that no change can affect, with the limit of the request: it need return no more
/// of them than this limit, besides the changed ones among them. The changed objects, and those that read changed ones
/// through relationships, are loaded and matched in memory, and merged into the sorted answer.
struct Overlay {
    private let context: ManagedObjectContext
    private let request: RowRequest
    private let filter: Filter?
    /// The changed objects of the entity.
    private let changed: [ManagedObject]
    /// The condition for objects in the store that read changed ones through relationships.
    private let reach: Filter

    private static let objectsInFilter = 10_000

    init(_ context: ManagedObjectContext, _ request: RowRequest, _ entity: Entity) throws {
        _ = try RowRequest.window(limit: request.limit, offset: request.offset)
        self.context = context
        self.request = request
        filter = try request.filter.map { try $0.substituting(request.variables) }
        try filter?.validate()
        // Merges objects of one row before the changes are read.
        context.syncTemporaryKeys()
        let pending = context.pendingChanges.objects.filter(\.hasChanges)
        changed = pending.filter {
            request.includesSubentities ? $0.entity.isKind(of: entity) : $0.entity == entity
        }
        reach = Overlay.condition(FilterReach.all(filter, request.sort, from: entity), pending, context)
    }

    private static func condition(
        _ reaches: [FilterReach], _ pending: [ManagedObject], _ context: ManagedObjectContext
    ) -> Filter {
        // Objects in the store refer to no object without a row.
        let stored = Dictionary(grouping: pending.filter(context.isStored), by: \.entity.root)
        var parts: [Filter] = []
        for reach in reaches where reach.entities.contains(where: { stored[$0] != nil }) {
            // A parent may refer to changed objects in ways that the store does not know.
            guard context.parent == nil, let paths = reach.paths else { return .always }
            for (path, root) in paths.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
                guard let objects = stored[root] else { continue }
                guard objects.count <= objectsInFilter else { return .always }
                parts.append(Filter(.keyPath(path), .in, list(objects), modifier: .any))
            }
        }
        return .or(parts)
    }

    private static func list(_ objects: some Sequence<ManagedObject>) -> FilterExpression {
        .constant(.list(objects.map { .object($0.objectID) }))
    }

    // MARK: Results

    /// The objects of the request; `candidates` fetches from the store.
    func objects(_ candidates: (RowRequest) throws -> [ManagedObject]) throws -> [ManagedObject] {
        let evaluated = try evaluated(candidates)
        var found: [ManagedObject] = []
        if var rest = unaffected {
            // Far more than rows fit in memory, so that the sum does not overflow.
            let most = 1 << 48
            let stored = changed.count { context.isStored($0) }
            rest.limit = request.limit.map { min($0, most) + min(request.offset, most) + stored }
            rest.offset = 0
            let known = Set(evaluated.map(ObjectIdentifier.init))
            found = try candidates(rest).filter { object in
                !known.contains(ObjectIdentifier(object)) && object.state.isDisjoint(with: [.deleted, .detached])
            }
        }
        let rest = try merged(found, sorted(matching(evaluated))).dropFirst(request.offset)
        return Array(request.limit.map { rest.prefix($0) } ?? rest)
    }

    /// The number of the objects of the request; `count` counts in the store.
    func count(
        _ candidates: (RowRequest) throws -> [ManagedObject], _ count: (RowRequest) throws -> Int
    ) throws -> Int {
        var total = try matching(evaluated(candidates)).count
        if var rest = unaffected {
            (rest.limit, rest.offset) = (nil, 0)
            total += try count(rest)
            for part in changed.filter(context.isStored).slices(of: Overlay.objectsInFilter) {
                var changed = rest
                changed.filter = .and((rest.filter.map { [$0] } ?? []) + [Filter(.subject, .in, Overlay.list(part))])
                total -= try count(changed)
            }
        }
        total = max(0, total - request.offset)
        return request.limit.map { min($0, total) } ?? total
    }

    /// The request for the objects that the store answers for; nil if there are none.
    private var unaffected: RowRequest? {
        var rest = request
        switch reach.form {
        case .always: return nil
        case .never: rest.filter = filter
        default: rest.filter = .and((filter.map { [$0] } ?? []) + [.not(reach)])
        }
        return rest
    }

    /// The changed objects, and those that read them through relationships.
    private func evaluated(_ candidates: (RowRequest) throws -> [ManagedObject]) throws -> [ManagedObject] {
        if reach.form == .never { return changed }
        var affected = RowRequest(entity: request.entityName, where: reach)
        affected.includesSubentities = request.includesSubentities
        let known = Set(changed.map(ObjectIdentifier.init))
        return changed + (try candidates(affected).filter { !known.contains(ObjectIdentifier($0)) })
    }

    private func matching(_ objects: [ManagedObject]) throws -> [ManagedObject] {
        try objects.filter { object in
            guard object.state.isDisjoint(with: [.deleted, .detached]) else { return false }
            return try filter?.matches(object) ?? true
        }
    }

    // MARK: Order

    /// Sorts by the sort keys, then stored objects by their keys, then new objects in the order of their insertion.
    private func sorted(_ objects: [ManagedObject]) throws -> [ManagedObject] {
        let byKey = objects.sorted(by: isInKeyOrder)
        return request.sort.isEmpty ? byKey : try request.sort.sorted(byKey)
    }

    private func isInKeyOrder(_ one: ManagedObject, _ other: ManagedObject) -> Bool {
        (one.key > 0) == (other.key > 0) ? abs(one.key) < abs(other.key) : one.key > 0
    }

    /// Inserts sorted objects into sorted rows of the store, whose order is kept.
    private func merged(_ rows: [ManagedObject], _ objects: [ManagedObject]) throws -> [ManagedObject] {
        if objects.isEmpty { return rows }
        var merged: [ManagedObject] = []
        merged.reserveCapacity(rows.count + objects.count)
        var start = 0
        for object in objects {
            let end = try rows[start...].partitionPoint { row in
                let order = try request.sort.compare(object, row)
                return order == .orderedSame ? isInKeyOrder(object, row) : order == .orderedAscending
            }
            merged += rows[start..<end]
            merged.append(object)
            start = end
        }
        return merged + rows[start...]
    }
}

extension FilterReach {
    /// What a filter and sort keys read through relationships.
    fileprivate static func all(_ filter: Filter?, _ sort: [SortKey], from entity: Entity) -> [FilterReach] {
        (filter.map { [FilterReach($0, from: entity)] } ?? [])
            + sort.map { FilterReach(.keyPath($0.keyPath), from: entity) }
    }
}

extension ManagedObjectContext {
    /// Whether the changes of this context can affect a request.
    func isAffected(_ request: RowRequest, _ entity: Entity) -> Bool {
        guard !pendingChanges.objects.isEmpty else { return false }
        if pendingChanges.objects.contains(where: { $0.hasChanges && $0.entity.root == entity.root }) { return true }
        return reachesChanges(request.filter, request.sort, from: entity)
    }

    /// Whether a filter or sort keys read changed objects through relationships.
    func reachesChanges(_ filter: Filter?, _ sort: [SortKey], from entity: Entity) -> Bool {
        FilterReach.all(filter, sort, from: entity).contains { reach in
            !reach.entities.isEmpty
                && pendingChanges.objects.contains { $0.hasChanges && reach.entities.contains($0.entity.root) }
        }
    }
}
