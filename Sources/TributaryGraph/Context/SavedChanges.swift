/// What a save has done, as ids: it may go to any queue.
public struct SavedChanges: Sendable {
    /// Numbers of rows, together with what the objects are.
    struct Keys: Sendable {
        let entity: Entity
        var keys: [Int64] = []
    }

    let stores: StoreSet
    var insertedKeys: [Keys] = []
    var updatedKeys: [Keys] = []
    var deletedKeys: [Keys] = []

    init(_ stores: StoreSet) { self.stores = stores }

    /// The objects that have a row now.
    public var inserted: [ObjectID] { ids(insertedKeys) }
    /// The objects that have changed.
    public var updated: [ObjectID] { ids(updatedKeys) }
    /// The objects that are gone.
    public var deleted: [ObjectID] { ids(deletedKeys) }
    /// Whether the save has changed nothing.
    public var isEmpty: Bool { insertedKeys.isEmpty && updatedKeys.isEmpty && deletedKeys.isEmpty }

    private func ids(_ groups: [Keys]) -> [ObjectID] {
        groups.flatMap { group in group.keys.map { ObjectID(stores, group.entity, $0) } }
    }

    /// Adds what a later save of the same transaction has done.
    mutating func add(_ later: SavedChanges) {
        SavedChanges.add(later.insertedKeys, to: &insertedKeys)
        SavedChanges.add(later.updatedKeys, to: &updatedKeys)
        SavedChanges.add(later.deletedKeys, to: &deletedKeys)
    }

    private static func add(_ groups: [Keys], to all: inout [Keys]) {
        for group in groups {
            if let place = all.firstIndex(where: { $0.entity === group.entity }) {
                all[place].keys += group.keys
            } else {
                all.append(group)
            }
        }
    }

    /// Sorts rows by what they are.
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

    /// Sorts objects by what they are.
    static func keys(_ objects: some Sequence<ManagedObject>) -> [Keys] {
        var groups: [Keys] = []
        var places: [ObjectIdentifier: Int] = [:]
        for object in objects {
            let entity = object.entity
            if let last = groups.indices.last, groups[last].entity === entity {
                groups[last].keys.append(object.key)
                continue
            }
            let place = places[ObjectIdentifier(entity)]
            if let place {
                groups[place].keys.append(object.key)
            } else {
                places[ObjectIdentifier(entity)] = groups.count
                groups.append(Keys(entity: entity, keys: [object.key]))
            }
        }
        return groups
    }
}
