/// What stands in the slot of a to-many relationship: the objects, and what has changed since the last save.
///
/// The other side may add and remove objects before anybody has asked for the rest: until then only the changes are
/// here, and nothing is fetched.
final class ManyObjects {
    /// All objects, if they are loaded.
    private(set) var all = ObjectSet()
    /// Whether the objects of the store are among them.
    private(set) var isLoaded: Bool
    /// What the store does not have yet.
    private(set) var added = ObjectSet()
    /// What only the store still has.
    private(set) var removed = ObjectSet()
    /// The numbers of the objects in their order as the store has it, for an ordered relationship.
    private(set) var storedOrder: [Int64] = []
    /// The objects as they were put in order here, for when they are loaded again.
    private var wantedOrder: [ManagedObject]?
    private let keepsOrder: Bool
    /// Whether objects that are gone may stand here, for nobody keeps it in step.
    private let mayDangle: Bool

    init(isLoaded: Bool, of relationship: RelationshipProperty) {
        self.isLoaded = isLoaded
        keepsOrder = relationship.isOrdered
        mayDangle = relationship.inverse.map { $0.deleteRule == .noAction } ?? true
    }

    private init(_ other: ManyObjects) {
        all = other.all
        isLoaded = other.isLoaded
        added = other.added
        removed = other.removed
        storedOrder = other.storedOrder
        wantedOrder = other.wantedOrder
        keepsOrder = other.keepsOrder
        mayDangle = other.mayDangle
    }

    /// Another one that stands for the same.
    func copy() -> ManyObjects { ManyObjects(self) }

    /// All objects that are not gone, if they are loaded.
    var objects: [ManagedObject] {
        mayDangle ? all.objects.filter { $0.state.isDisjoint(with: [.detached, .gone]) } : all.objects
    }

    /// Whether an object is among them.
    func contains(_ object: ManagedObject) -> Bool {
        all.contains(object) && object.state.isDisjoint(with: [.detached, .gone])
    }

    /// Whether the store has something else.
    var hasChanges: Bool {
        !added.isEmpty || !removed.isEmpty || wantedOrder != nil
            || isLoaded && keepsOrder && all.objects.map(\.key) != storedOrder
    }

    /// Takes what the store has, and the changes on top.
    func load(_ objects: [ManagedObject]) {
        if keepsOrder { storedOrder = objects.map(\.key) }
        all = ObjectSet()
        for object in objects where !removed.contains(object) { all.append(object) }
        for object in added.objects { all.append(object) }
        if let order = wantedOrder {
            let known = ObjectSet(order.filter(all.contains))
            all = ObjectSet(known.objects + all.objects.filter { !known.contains($0) })
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
        if !isLoaded, keepsOrder {
            // What was taken out and comes back stands at the end.
            added.append(object)
        } else if !removed.remove(object, keepingOrder: true) {
            added.append(object)
        }
        return true
    }

    /// Takes an object out; false if it is known not to be there.
    @discardableResult
    func remove(_ object: ManagedObject) -> Bool {
        if isLoaded {
            guard all.remove(object, keepingOrder: keepsOrder) else { return false }
            if !added.remove(object, keepingOrder: true) { removed.append(object) }
            return true
        }
        return added.remove(object, keepingOrder: true) || removed.append(object)
    }

    /// Where an object stands among all, and among those added; nil where it does not, or where nobody cares.
    func places(of object: ManagedObject) -> (all: Int?, added: Int?) {
        (keepsOrder && isLoaded ? all.place(of: object) : nil, added.place(of: object))
    }

    /// Undoes that `object` was taken out, from where it stood then.
    func restore(_ object: ManagedObject, to places: (all: Int?, added: Int?)) {
        if let place = places.added {
            added.append(object)
            if keepsOrder, place < added.count { added.move(from: added.count - 1, to: place) }
        } else {
            removed.remove(object, keepingOrder: true)
        }
        guard isLoaded, all.append(object), keepsOrder else { return }
        if let place = places.all, place < all.count { all.move(from: all.count - 1, to: place) }
    }

    /// Whether the order of the objects means something.
    var isOrdered: Bool { keepsOrder }

    /// Moves an object of an ordered relationship.
    func move(from source: Int, to target: Int) { all.move(from: source, to: target) }

    /// Puts one object in the place of others.
    func replace(_ gone: Set<ObjectIdentifier>, with survivor: ManagedObject) {
        func turned(_ objects: [ManagedObject]) -> ObjectSet {
            ObjectSet(objects.lazy.map { gone.contains(ObjectIdentifier($0)) ? survivor : $0 })
        }
        all = turned(all.objects)
        added = turned(added.objects)
        removed = turned(removed.objects)
        wantedOrder = wantedOrder.map { turned($0).objects }
    }

    /// The store has it all now.
    func commit() {
        added = ObjectSet()
        removed = ObjectSet()
        wantedOrder = nil
        if keepsOrder { storedOrder = all.objects.map(\.key) }
    }

    /// Forgets what the store has, and keeps the changes.
    func unload() {
        if isLoaded, keepsOrder {
            let gone = Set(removed.objects.map(\.key))
            let usual = storedOrder.filter { !gone.contains($0) } + added.objects.map(\.key)
            if usual != all.objects.map(\.key) { wantedOrder = all.objects }
        }
        all = ObjectSet()
        storedOrder = []
        isLoaded = false
    }
}
