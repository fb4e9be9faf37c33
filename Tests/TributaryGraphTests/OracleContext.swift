import TributaryGraph

/// The expected state of a context, as simple as possible: objects in a dictionary, every rule written out.
struct OracleContext {
    /// All objects of the context, including those marked as deleted.
    var world: [Int: OracleObject]
    var inserted: Set<Int> = []
    /// Changed objects, which may be inserted or deleted as well.
    var touched: Set<Int> = []
    var deleted: Set<Int> = []
    private var waiting: [Int] = []

    init(_ world: [Int: OracleObject]) { self.world = world }

    /// The objects that a fetch may find.
    var live: [Int] { world.keys.filter { !deleted.contains($0) }.sorted() }
    var updated: Set<Int> { touched.subtracting(inserted).subtracting(deleted) }
    var hasChanges: Bool { !inserted.isEmpty || !touched.isEmpty || !deleted.isEmpty }

    func one(_ id: Int, _ link: OracleLink) -> Int? {
        // A reference to an object that no longer exists reads as nil.
        world[id]?.ones[link.name].flatMap { world[$0] == nil ? nil : $0 }
    }

    func many(_ id: Int, _ link: OracleLink) -> [Int] {
        (world[id]?.manys[link.name] ?? []).filter { world[$0] != nil }
    }

    func others(_ id: Int, _ link: OracleLink) -> [Int] {
        link.isToMany ? many(id, link) : one(id, link).map { [$0] } ?? []
    }

    func links(_ id: Int) -> [OracleLink] { world[id].map { OracleLink.all($0.entity) } ?? [] }

    private func inverse(_ link: OracleLink) -> OracleLink? {
        link.inverse.map { OracleLink.named($0, of: link.destination) }
    }

    mutating func insert(_ id: Int, _ entity: String) {
        world[id] = OracleObject(entity)
        inserted.insert(id)
    }

    mutating func set(_ id: Int, _ name: String, _ value: FilterValue) {
        guard world[id]?.values[name] != value else { return }
        world[id]?.values[name] = value
        touched.insert(id)
    }

    mutating func setOne(_ id: Int, _ link: OracleLink, _ other: Int?) {
        let old = one(id, link)
        guard old != other else { return }
        world[id]?.ones[link.name] = other
        touched.insert(id)
        guard let inverse = inverse(link) else { return }
        if let old { forget(old, id, inverse) }
        if let other { learn(other, id, inverse) }
    }

    mutating func add(_ id: Int, _ link: OracleLink, _ other: Int) {
        guard !many(id, link).contains(other) else { return }
        world[id]?.manys[link.name, default: []].append(other)
        touched.insert(id)
        if let inverse = inverse(link) { learn(other, id, inverse) }
    }

    mutating func remove(_ id: Int, _ link: OracleLink, _ other: Int) {
        guard many(id, link).contains(other) else { return }
        world[id]?.manys[link.name]?.removeAll { $0 == other }
        touched.insert(id)
        if let inverse = inverse(link) { forget(other, id, inverse) }
    }

    mutating func setMany(_ id: Int, _ link: OracleLink, _ others: [Int]) {
        for other in many(id, link) where !others.contains(other) { remove(id, link, other) }
        for other in others { add(id, link, other) }
        guard link.isOrdered, many(id, link) != others else { return }
        world[id]?.manys[link.name] = others
        touched.insert(id)
    }

    private mutating func learn(_ id: Int, _ other: Int, _ link: OracleLink) {
        touched.insert(id)
        if link.isToMany {
            if !many(id, link).contains(other) { world[id]?.manys[link.name, default: []].append(other) }
            return
        }
        let old = one(id, link)
        world[id]?.ones[link.name] = other
        if let old, old != other, let inverse = inverse(link) { forget(old, id, inverse) }
    }

    private mutating func forget(_ id: Int, _ other: Int, _ link: OracleLink) {
        if link.isToMany {
            touched.insert(id)
            world[id]?.manys[link.name]?.removeAll { $0 == other }
        } else if one(id, link) == other {
            touched.insert(id)
            world[id]?.ones[link.name] = nil
        }
    }

    mutating func delete(_ id: Int) {
        guard world[id] != nil, deleted.insert(id).inserted else { return }
        waiting.append(id)
    }

    /// Applies the rules of pending deletions, and removes deleted objects that were never saved.
    mutating func process() {
        while !waiting.isEmpty {
            let id = waiting.removeFirst()
            for link in links(id) where link.rule != .noAction {
                for other in others(id, link) where other != id {
                    if link.rule == .cascade { delete(other) }
                    if link.rule != .deny, !deleted.contains(other), let inverse = inverse(link) {
                        forget(other, id, inverse)
                    }
                }
            }
        }
        for id in deleted.intersection(inserted) { world[id] = nil }
        let gone = deleted.intersection(inserted)
        inserted.subtract(gone)
        deleted.subtract(gone)
        touched.subtract(gone)
    }

    /// Deleted objects that a deny rule protects, each with the related objects that are the reason.
    var denials: [Int: [Int]] {
        var denials: [Int: [Int]] = [:]
        for id in deleted {
            for link in links(id) where link.rule == .deny {
                let others = others(id, link).filter { !deleted.contains($0) }
                if !others.isEmpty { denials[id] = others }
            }
        }
        return denials
    }

    var saved: [Int: OracleObject] { world.filter { !deleted.contains($0.key) } }

    mutating func endSave() {
        world = saved
        (inserted, touched, deleted) = ([], [], [])
    }

    /// Applies the save of a child.
    mutating func take(_ child: OracleContext) {
        for (id, object) in child.world {
            if child.deleted.contains(id) {
                world[id] = object
                continue
            }
            if !isSame(id, child) || child.inserted.contains(id) {
                if child.inserted.contains(id), world[id] == nil { inserted.insert(id) } else { touched.insert(id) }
            }
            world[id] = object
        }
        for id in deleted { forgetStrangers(id) }
        for id in child.deleted { deleted.insert(id) }
        process()
    }

    /// Removes from an object deleted here the related objects that a child has moved away.
    ///
    /// The child could not see the deleted object, so its save does not contain this change.
    private mutating func forgetStrangers(_ id: Int) {
        for link in links(id) {
            guard let inverse = inverse(link) else { continue }
            for other in others(id, link) where !others(other, inverse).contains(id) {
                world[id]?.manys[link.name]?.removeAll { $0 == other }
                if one(id, link) == other { world[id]?.ones[link.name] = nil }
            }
        }
    }

    /// Whether an object is the same here and in a child.
    private func isSame(_ id: Int, _ child: OracleContext) -> Bool {
        guard let mine = world[id], let its = child.world[id], mine.values == its.values else { return false }
        return links(id).allSatisfy { link in
            let (here, there) = (others(id, link).filter { !deleted.contains($0) }, child.others(id, link))
            return link.isOrdered ? here == there : Set(here) == Set(there)
        }
    }

    /// Discards all changes, and returns to the state of the store.
    mutating func rollback(to store: [Int: OracleObject]) { self = OracleContext(store) }
}
