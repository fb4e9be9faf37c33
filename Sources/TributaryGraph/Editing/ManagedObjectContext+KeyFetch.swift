import TributaryConcurrency
import TributarySQLite

/// Fetching objects by the unique keys of records.
extension ManagedObjectContext {
    /// Checks that the context is private.
    package func checkIsPrivate() throws(ContextError) {
        check()
        guard isolation.isMain else { return }
        throw ContextError(
            .notPrivate, "records cannot be imported into a context of the main actor",
            hint: "use a private context: manager.newPrivateContext().perform { … }")
    }

    /// The objects of `entity` that have the distinct keys of a table, including unsaved changes.
    ///
    /// If several objects have a key, the one inserted first is returned. The fetch is one SELECT for any number of
    /// keys.
    package func objects(
        with table: SortedKeys, of entity: Entity, besides excluded: ManagedObject? = nil
    ) throws -> [ManagedObject?] {
        check()
        var found: [ManagedObject?] = Array(repeating: nil, count: table.groupCount)
        guard table.groupCount > 0 else { return found }
        processPendingChanges()
        // Candidates are in the ascending or descending order of the keys, or in the order of the records.
        var (guess, last) = (0, -1)
        let (candidates, isInOrder) = try candidates(with: table, of: entity)
        for object in candidates
        where object.state.isDisjoint(with: [.deleted, .detached]) && object !== excluded {
            guard !object.accessFlags.contains(.fault), let group = table.find(object.row, near: guess) else {
                continue
            }
            if let known = found[group] {
                // An index with more columns may return rows with one key in another order.
                if object.key > 0, object.key < known.key { found[group] = object }
            } else {
                found[group] = object
            }
            guess = isInOrder ? table.successor(of: group) : group > last ? group + 1 : group - 1
            last = group
        }
        if parent == nil, excluded == nil {
            let areInOrder = table.areInOrder { found[$0]?.key ?? 0 }
            stores.store(of: entity).inOrder.withLock { entities in
                if areInOrder { entities.insert(entity.index) } else { entities.remove(entity.index) }
            }
        }
        // Objects without a row, or with another key than their row.
        if !pendingChanges.objects.isEmpty, found.contains(where: { $0 == nil }) {
            let pending = pendingChanges.objects(by: table.attributes, of: entity)
            for group in found.indices where found[group] == nil {
                found[group] = pending.object(with: table.parts(of: group)) { object in
                    object !== excluded && object.hasChanges && object.state.isDisjoint(with: [.deleted, .detached])
                        && (object.state.contains(.inserted) || object.committed != nil)
                }
            }
        }
        return found
    }

    /// The objects whose rows have one of the keys, in the order of the records or of the keys.
    private func candidates(with table: SortedKeys, of entity: Entity) throws -> (
        objects: [ManagedObject], isInOrder: Bool
    ) {
        if let parent { return (try candidates(with: table, of: entity, in: parent), false) }
        let store = stores.store(of: entity)
        let compiler = FetchCompiler(schema: store.schema, model: model)
        let mayBeInOrder = store.inOrder.withLock { $0.contains(entity.index) }
        guard let query = KeyQuery(table.attributes, of: entity, compiler, mayBeInOrder: mayBeInOrder) else {
            return ([], false)
        }
        let objects = try read(query.query, entity) { connection, body in
            let order: SortedKeys.Order =
                if query.isInOrder {
                    .records
                } else {
                    connection.keys.alternateDirection() == .descending ? .descending : .ascending
                }
            return try table.withCells(order) { cells, width in
                try connection.keys.withRows(cells, width: width, body)
            }
        }
        return (objects, query.isInOrder)
    }

    private static let keysInFilter = 10_000

    /// The objects of the parent that have one of the keys, which it is asked for by filters.
    private func candidates(
        with table: SortedKeys, of entity: Entity, in parent: ParentContext
    ) throws -> [ManagedObject] {
        try table.samples.slices(of: Self.keysInFilter).flatMap { part in
            let filter = Filter.and(
                table.attributes.enumerated().map { index, attribute in
                    let values = table.values(of: index, in: part).map(attribute.filterValue(stored:))
                    return Filter(.keyPath([attribute.name]), .in, .constant(.list(values)))
                })
            let request = RowRequest(entity: entity.name, where: filter)
            return try fetchFromParent(parent, request, pending: true, refreshing: false)
        }
    }
}
