/// What many saves have done, without telling one from another.
struct JoinedChanges: Sendable {
    private struct Rows {
        let entity: Entity
        var keys = RowSet()
    }

    private let stores: StoreSet
    private var inserted: [Rows] = []
    private var updated: [Rows] = []
    private var deleted: [Rows] = []
    /// How many rows are told of at a time.
    private static let part = 100_000

    init(_ stores: StoreSet) { self.stores = stores }

    /// Adds what a save has done behind those before.
    mutating func add(_ saved: SavedChanges) {
        for group in saved.insertedKeys { JoinedChanges.add(group, to: &inserted) }
        for group in saved.updatedKeys { JoinedChanges.add(group, to: &updated) }
        for group in saved.deletedKeys { JoinedChanges.add(group, to: &deleted) }
    }

    private static func add(_ group: SavedChanges.Keys, to all: inout [Rows]) {
        let place = all.firstIndex { $0.entity === group.entity } ?? all.count
        if place == all.count { all.append(Rows(entity: group.entity)) }
        all[place].keys.insert(group.keys)
    }

    /// Tells of it in parts, as if of saves: first what is gone, then what is new.
    func forEachPart(_ body: (SavedChanges) throws -> Void) rethrows {
        for (list, rows) in [
            (\SavedChanges.deletedKeys, deleted), (\.insertedKeys, inserted), (\.updatedKeys, updated),
        ] {
            for one in rows {
                try one.keys.forEachPart(of: JoinedChanges.part) { keys in
                    var saved = SavedChanges(stores)
                    saved[keyPath: list] = [SavedChanges.Keys(entity: one.entity, keys: keys)]
                    try body(saved)
                }
            }
        }
    }
}
