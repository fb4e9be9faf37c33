/// The changes of a save, as IDs that can be sent to any queue.
public struct SavedChanges: Sendable {
    struct Keys: Sendable {
        let entity: Entity
        var keys: [Int64] = []
    }

    let stores: ObjectStores
    var insertedKeys: [Keys] = []
    var updatedKeys: [Keys] = []
    var deletedKeys: [Keys] = []

    /// Whether there were too many rows to list: the lists are empty, and any object may have changed.
    public private(set) var isReload = false

    init(_ stores: ObjectStores) { self.stores = stores }

    /// The changes of saves with too many rows to list.
    init(reloading stores: ObjectStores) { (self.stores, isReload) = (stores, true) }

    /// The inserted objects.
    public var inserted: [ObjectID] { ids(insertedKeys) }
    /// The updated objects.
    public var updated: [ObjectID] { ids(updatedKeys) }
    /// The deleted objects.
    public var deleted: [ObjectID] { ids(deletedKeys) }
    /// Whether there are no changes.
    public var isEmpty: Bool { insertedKeys.isEmpty && updatedKeys.isEmpty && deletedKeys.isEmpty && !isReload }

    private func ids(_ groups: [Keys]) -> [ObjectID] {
        groups.flatMap { group in group.keys.map { ObjectID(stores, group.entity, $0) } }
    }

    /// Adds the changes of a later save of the same transaction.
    mutating func add(_ later: SavedChanges) {
        SavedChanges.add(later.insertedKeys, to: &insertedKeys)
        SavedChanges.add(later.updatedKeys, to: &updatedKeys)
        SavedChanges.add(later.deletedKeys, to: &deletedKeys)
    }

    private static func add(_ groups: [Keys], to all: inout [Keys]) {
        for group in groups {
            if let index = all.firstIndex(where: { $0.entity === group.entity }) {
                all[index].keys += group.keys
            } else {
                all.append(group)
            }
        }
    }

    static func keys(_ objects: [ManagedObject]) -> [Keys] { keys(objects.lazy.map { RowKey($0.entity, $0.key) }) }

    static func keys(_ rows: some Sequence<RowKey>) -> [Keys] {
        var groups: [Keys] = []
        var indexes: [ObjectIdentifier: Int] = [:]
        for row in rows {
            if let last = groups.indices.last, groups[last].entity === row.entity {
                groups[last].keys.append(row.key)
            } else if let index = indexes[ObjectIdentifier(row.entity)] {
                groups[index].keys.append(row.key)
            } else {
                indexes[ObjectIdentifier(row.entity)] = groups.count
                groups.append(Keys(entity: row.entity, keys: [row.key]))
            }
        }
        return groups
    }
}
