/// The objects of a to-many relationship, in their order; each is there once.
///
/// It is a view as `ToMany` is, and a collection.
public struct OrderedToMany<Element: ManagedObject> {
    private let owner: (object: ManagedObject, slot: Int)?
    private var loose: [Element] = []

    private init(owner: (object: ManagedObject, slot: Int)?, loose: [Element]) {
        self.owner = owner
        self.loose = loose
    }

    /// A list of objects, to be assigned.
    public init(_ objects: some Sequence<Element>) { self.init(owner: nil, loose: Array(objects)) }

    /// The objects at this moment.
    public var objects: [Element] {
        guard let owner else { return loose }
        return owner.object.many(owner.slot).compactMap { $0 as? Element }
    }

    /// Whether `object` is one of them.
    public func contains(_ object: Element) -> Bool {
        guard let owner else { return loose.contains(object) }
        return owner.object.loadedMany(owner.slot)?.contains(object) ?? false
    }

    /// Adds an object at the end; false if it is there already.
    @discardableResult
    public mutating func append(_ object: Element) -> Bool {
        if let owner { return owner.object.addToMany(owner.slot, object) }
        guard !loose.contains(object) else { return false }
        loose.append(object)
        return true
    }

    /// Adds an object at `index`, or moves it there.
    public mutating func insert(_ object: Element, at index: Int) {
        var objects = objects
        if let place = objects.firstIndex(of: object) { objects.remove(at: place) }
        objects.insert(object, at: Swift.min(index, objects.count))
        replace(with: objects)
    }

    /// Takes an object out; false if it is not there.
    @discardableResult
    public mutating func remove(_ object: Element) -> Bool {
        if let owner { return owner.object.removeFromMany(owner.slot, object) }
        guard let place = loose.firstIndex(of: object) else { return false }
        loose.remove(at: place)
        return true
    }

    /// Takes all objects out.
    public mutating func removeAll() { replace(with: []) }

    private mutating func replace(with objects: [Element]) {
        if let owner { owner.object.setMany(owner.slot, objects) } else { loose = objects }
    }
}

extension OrderedToMany: RandomAccessCollection {
    /// 0.
    public var startIndex: Int { 0 }
    /// How many there are.
    public var endIndex: Int { owner.map { $0.object.many($0.slot).count } ?? loose.count }
    /// The object at `index`.
    public subscript(index: Int) -> Element {
        guard let owner else { return loose[index] }
        guard let object = owner.object.many(owner.slot)[index] as? Element else {
            fatalError("the object at \(index) is no \(Element.self)")
        }
        return object
    }
    /// Iterates over the objects of this moment: what changes meanwhile does not disturb.
    public func makeIterator() -> IndexingIterator<[Element]> { objects.makeIterator() }
}

extension OrderedToMany: ExpressibleByArrayLiteral {
    /// A list of objects, to be assigned.
    public init(arrayLiteral objects: Element...) { self.init(objects) }
}

extension OrderedToMany: RelationshipValue {
    /// The class of the objects.
    public static var destinationType: ManagedObject.Type { Element.self }
    /// True.
    public static var isToMany: Bool { true }
    /// True.
    public static var isOrdered: Bool { true }
    /// No objects.
    public static var nothing: OrderedToMany { [] }
    /// A view of the slot.
    public static func read(_ object: ManagedObject, _ slot: Int) -> OrderedToMany {
        OrderedToMany(owner: (object, slot), loose: [])
    }
    /// Makes these objects those of the slot, in this order.
    public func write(_ object: ManagedObject, _ slot: Int) {
        if let owner, owner.object === object, owner.slot == slot { return }
        object.setMany(slot, objects)
    }
}
