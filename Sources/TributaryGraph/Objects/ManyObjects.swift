/// The value of a to-many relationship: its destinations, and their changes since the last save.
///
/// Before the relationship is loaded, its inverse may add and remove destinations: until then only the changes are
/// here, and nothing is fetched.
final class ManyObjects {
    /// All destinations, if they are loaded.
    private(set) var all = ObjectSet() { didSet { present = nil } }
    /// All destinations except deleted ones, and the number of removals from the context before they were collected.
    private var present: (objects: [ManagedObject], removalCount: Int?)?
    private(set) var isLoaded: Bool
    /// The destinations that the store does not have yet.
    private(set) var added = ObjectSet()
    /// The removed destinations, which the store still has.
    private(set) var removed = ObjectSet()
    /// The keys of the destinations in the order of the store, for an ordered relationship.
    private(set) var storedOrder: [Int64] = []
    /// The unsaved order of the destinations, to be restored when they are loaded again.
    private var wantedOrder: [ManagedObject]?
    let isOrdered: Bool
    /// Whether deleted objects may be among the destinations, because there is no maintained inverse.
    private let mayDangle: Bool

    init(isLoaded: Bool, of relationship: RelationshipProperty) {
        self.isLoaded = isLoaded
        isOrdered = relationship.isOrdered
        mayDangle = relationship.inverse.map { $0.deleteRule == .noAction } ?? true
    }

    /// All destinations except deleted ones, if they are loaded.
    var objects: [ManagedObject] {
        guard mayDangle else { return all.objects }
        let removalCount = all.objects.first?.registry?.context?.removalCount
        if let present, present.removalCount == removalCount { return present.objects }
        let objects = all.objects.filter { $0.state.isDisjoint(with: [.detached, .rowDeleted]) }
        present = (objects, removalCount)
        return objects
    }

    func contains(_ object: ManagedObject) -> Bool {
        all.contains(object) && object.state.isDisjoint(with: [.detached, .rowDeleted])
    }

    var hasChanges: Bool {
        !added.isEmpty || !removed.isEmpty || wantedOrder != nil
            || isLoaded && isOrdered && all.objects.map(\.key) != storedOrder
    }

    /// Sets the destinations in the store, and applies the changes to them.
    func load(_ objects: [ManagedObject]) {
        if isOrdered { storedOrder = objects.map(\.key) }
        all = ObjectSet()
        for object in objects where !removed.contains(object) { all.append(object) }
        for object in added.objects { all.append(object) }
        if let order = wantedOrder {
            arrange(order)
            wantedOrder = nil
        }
        isLoaded = true
    }

    /// Adds an object; false if it is known to be there already.
    @discardableResult
    func append(_ object: ManagedObject) -> Bool {
        if isLoaded {
            guard all.append(object) else { return false }
        } else if added.contains(object) {
            return false
        }
        if !isLoaded, isOrdered {
            // An object that was removed and is added again moves to the end.
            added.append(object)
        } else if !removed.remove(object, keepingOrder: false) {
            added.append(object)
        }
        return true
    }

    /// Removes an object; false if it is known not to be there.
    @discardableResult
    func remove(_ object: ManagedObject) -> Bool {
        if isLoaded {
            guard all.remove(object, keepingOrder: isOrdered) else { return false }
            if !added.remove(object, keepingOrder: false) { removed.append(object) }
            return true
        }
        return added.remove(object, keepingOrder: true) || removed.append(object)
    }

    /// The positions of an object among all and among the added destinations; nil if absent or not ordered.
    func positions(of object: ManagedObject) -> (all: Int?, added: Int?) {
        (isOrdered && isLoaded ? all.index(of: object) : nil, added.index(of: object))
    }

    /// Undoes the removal of `object`, which had these positions.
    func restore(_ object: ManagedObject, to positions: (all: Int?, added: Int?)) {
        if let index = positions.added {
            added.append(object)
            if isOrdered, index < added.count { added.move(from: added.count - 1, to: index) }
        } else {
            removed.remove(object, keepingOrder: false)
        }
        guard isLoaded, all.append(object), isOrdered else { return }
        if let index = positions.all, index < all.count { all.move(from: all.count - 1, to: index) }
    }

    /// Puts those of the destinations that are in `order` first, in this order.
    func arrange(_ order: [ManagedObject]) {
        let known = ObjectSet(order.filter(all.contains))
        all = ObjectSet(known.objects + all.objects.filter { !known.contains($0) })
    }

    func move(from source: Int, to target: Int) { all.move(from: source, to: target) }

    /// Replaces references to duplicates by the surviving object.
    func replace(_ losers: Set<ObjectIdentifier>, with survivor: ManagedObject) {
        func replaced(_ objects: [ManagedObject]) -> ObjectSet {
            ObjectSet(objects.lazy.map { losers.contains(ObjectIdentifier($0)) ? survivor : $0 })
        }
        all = replaced(all.objects)
        added = replaced(added.objects)
        removed = replaced(removed.objects)
        wantedOrder = wantedOrder.map { replaced($0).objects }
    }

    /// Marks a destination as one that the store does not have.
    func markAsAdded(_ object: ManagedObject) { added.append(object) }

    /// Marks the changes as saved.
    func commit() {
        added = ObjectSet()
        removed = ObjectSet()
        wantedOrder = nil
        if isOrdered { storedOrder = all.objects.map(\.key) }
    }

    /// Discards the loaded destinations, and keeps the changes.
    func unload() {
        if isLoaded, isOrdered {
            let removedKeys = Set(removed.objects.map(\.key))
            let defaultOrder = storedOrder.filter { !removedKeys.contains($0) } + added.objects.map(\.key)
            if defaultOrder != all.objects.map(\.key) { wantedOrder = all.objects }
        }
        all = ObjectSet()
        storedOrder = []
        isLoaded = false
    }
}
