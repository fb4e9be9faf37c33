import Synchronization

/// The numbers of rows that objects get after others have seen them.
extension ManagedObjectContext {
    /// How often objects of this context and those above it have got other numbers.
    var turn: Int { numberTurn.load(ordering: .acquiring) + (parent?.identity.turn ?? 0) }

    /// The number of an object here, of which a child may know only the one it had before.
    func number(_ key: Int64, _ entity: Entity) -> Int64 {
        let known = knownNumber(key, entity)
        return known > 0 ? known : parent?.sync { $0.number(key, entity) } ?? known
    }

    /// The same, as far as it is known here.
    func knownNumber(_ key: Int64, _ entity: Entity) -> Int64 {
        let number = key > 0 ? key : aliases[key] ?? key
        return moves.isEmpty || number < 0 ? number : moves[RowKey(entity.root, number)] ?? number
    }

    /// Gives an object that had none the number of a row.
    func renumber(_ object: ManagedObject, _ number: Int64) {
        guard object.key < 0 else { return }
        temporaries?[object.key] = nil
        aliases[object.key] = number
        numberTurn.add(1, ordering: .releasing)
        put(object, at: number)
    }

    private func put(_ object: ManagedObject, at number: Int64) {
        object.key = number
        guard let map = object.home?.map else { return }
        if let earlier = map.find(number), earlier !== object {
            unite(object, with: earlier)
        } else {
            map.insert(object)
        }
    }

    // MARK: For children

    /// Forgets what only children could ask for, if there are none any more.
    func forgetForChildren() {
        guard isKnownUniquelyReferenced(&children) else { return }
        children = nil
        aliases = [:]
        givenUp = []
    }

    /// Remembers which rows new objects have become: for children that know them by other numbers, as long as there are
    /// any, and for ids that were permanent before an object turned out to be another row.
    func keepNumbers(of inserted: [ManagedObject], before keys: [Int64], hasMerged: Bool) {
        guard children != nil || hasMerged else { return }
        for (object, key) in zip(inserted, keys) where object.key != key {
            if key > 0 {
                moves[RowKey(object.entity.root, key)] = object.key
            } else if children != nil {
                aliases[key] = object.key
            }
        }
        numberTurn.add(1, ordering: .releasing)
    }

    // MARK: From the parent

    /// Notes whether images name objects by numbers that they will not keep; they were made in that turn.
    func noteNumbers(of images: some Sequence<ObjectImage>, in turn: Int) {
        for image in images where image.leadsToNew || image.key < 0 {
            if image.leadsToNew { leadsToNew = true }
            // They may have got others since.
            if turn != parentTurn { parentTurn = -1 }
        }
    }

    /// Gives objects that the parent has saved since they were handed on the numbers of their rows.
    func settleNumbers() {
        guard let parent else { return }
        let turn = parent.identity.turn
        // Mostly it has saved nothing since.
        guard turn != parentTurn else { return }
        parentTurn = turn
        let waiting = temporaries?.values.filter { $0.state.isDisjoint(with: [.inserted, .detached]) } ?? []
        var wanted = waiting.map { RowKey($0.entity, $0.key) }
        forEachEnd { row, slot, entity in
            if row.integer(slot) < 0 { wanted.append(RowKey(entity, row.integer(slot))) }
        }
        let keys = wanted
        let (numbers, moved) = parent.sync { context in
            context.settleNumbers()
            return (keys.map { context.number($0.key, $0.entity) }, context.moves)
        }
        var known: [Int64: Int64] = [:]
        for (row, number) in zip(keys, numbers) where number > 0 { known[row.key] = number }
        let areNew = moved.filter { moves[$0.key] != $0.value }
        moves.merge(areNew) { _, new in new }
        leadsToNew = leadsToNew || !areNew.isEmpty
        var rest = false
        forEachEnd { row, slot, entity in
            let key = row.integer(slot)
            if let number = key < 0 ? known[key] : areNew[RowKey(entity.root, key)] {
                row.set(number, slot)
            } else if key < 0 {
                rest = true
            }
        }
        leadsToNew = rest
        for object in waiting { if let number = known[object.key] { renumber(object, number) } }
        for (row, number) in areNew {
            let map = home(row.entity).map
            guard let object = map.find(row.key) else { continue }
            map.remove(object)
            put(object, at: number)
        }
    }

    /// Calls `body` with the slot of each relationship to one whose end is known by its number, if any is one that it will
    /// not keep.
    private func forEachEnd(_ body: (Row, Int, Entity) -> Void) {
        guard leadsToNew else { return }
        for object in allObjects {
            for relationship in object.entity.relationships where !relationship.isToMany {
                let slot = relationship.slot
                if object.row.kind(slot) == .integer { body(object.row, slot, relationship.destination) }
                if let row = object.committed, row.kind(slot) == .integer { body(row, slot, relationship.destination) }
            }
        }
    }
}
