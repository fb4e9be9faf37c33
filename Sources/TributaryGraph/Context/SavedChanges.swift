/// The changes of a save, as IDs that can be sent to any queue.
public struct SavedChanges: Sendable {
    /// The keys of rows of one entity.
    struct Keys: Sendable {
        let entity: Entity
        var keys: [Int64] = []
    }

    let stores: StoreSet
    var insertedKeys: [Keys] = []
    var updatedKeys: [Keys] = []
    var deletedKeys: [Keys] = []

    /// Whether more rows were saved than are named here: the lists are empty, and any object may have changed.
    public private(set) var isReload = false

    init(_ stores: StoreSet) { self.stores = stores }

    /// Stands for saves that are too many to be named.
    init(reloading stores: StoreSet) { (self.stores, isReload) = (stores, true) }

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

    /// Groups rows by their entities.
    static func keys(_ rows: [RowKey]) -> [Keys] {
        var groups: [Keys] = []
        for row in rows {
            if let last = groups.indices.last, groups[last].entity === row.entity {
                groups[last].keys.append(row.key)
            } else {
                groups.append(Keys(entity: row.entity, keys: [row.key]))
            }
        }
        return groups
    }

    /// Groups the keys of objects by their entities.
    static func keys(_ objects: some Sequence<ManagedObject>) -> [Keys] {
        var groups: [Keys] = []
        var indexes: [ObjectIdentifier: Int] = [:]
        for object in objects {
            let entity = object.entity
            if let last = groups.indices.last, groups[last].entity === entity {
                groups[last].keys.append(object.key)
                continue
            }
            if let index = indexes[ObjectIdentifier(entity)] {
                groups[index].keys.append(object.key)
            } else {
                indexes[ObjectIdentifier(entity)] = groups.count
                groups.append(Keys(entity: entity, keys: [object.key]))
            }
        }
        return groups
    }
}
