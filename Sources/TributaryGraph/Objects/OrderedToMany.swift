/// The objects of an ordered to-many relationship, each once.
///
/// Like `ToMany` it is a view of the relationship, and it is a collection as well.
public struct OrderedToMany<Element: ManagedObject> {
    private let owner: (object: ManagedObject, slot: Int)?
    private var loose: [Element] = []

    /// The current objects.
    public var objects: [Element] {
        guard let owner else { return loose }
        return owner.object.many(owner.slot).compactMap { $0 as? Element }
    }

    /// Whether `object` is one of the objects.
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
        if let current = objects.firstIndex(of: object) { objects.remove(at: current) }
        objects.insert(object, at: Swift.min(index, objects.count))
        replace(with: objects)
    }

    /// Removes an object; false if it is not there.
    @discardableResult
    public mutating func remove(_ object: Element) -> Bool {
        if let owner { return owner.object.removeFromMany(owner.slot, object) }
        guard let index = loose.firstIndex(of: object) else { return false }
        loose.remove(at: index)
        return true
    }

    /// Removes all objects.
    public mutating func removeAll() { replace(with: []) }

    private mutating func replace(with objects: [Element]) {
        if let owner { owner.object.setMany(owner.slot, objects) } else { loose = objects }
    }
}

extension OrderedToMany: RandomAccessCollection {
    /// 0.
    public var startIndex: Int { 0 }
    /// The number of objects.
    public var endIndex: Int { owner.map { $0.object.many($0.slot).count } ?? loose.count }
    /// The object at `index`.
    public subscript(index: Int) -> Element {
        guard let owner else { return loose[index] }
        guard let object = owner.object.many(owner.slot)[index] as? Element else {
            fatalError("the object at index \(index) is not of class \(Element.self)")
        }
        return object
    }
    /// Iterates over the current objects, regardless of changes during the iteration.
    public func makeIterator() -> IndexingIterator<[Element]> { objects.makeIterator() }
}

extension OrderedToMany: ExpressibleByArrayLiteral {
    /// A list of objects, to be assigned to a relationship.
    public init(_ objects: some Sequence<Element>) { self.init(owner: nil, loose: Array(objects)) }

    /// A list of objects, to be assigned to a relationship.
    public init(arrayLiteral objects: Element...) { self.init(objects) }
}

extension OrderedToMany: RelationshipValue {
    /// The class of the objects.
    public static var destinationType: ManagedObject.Type { Element.self }
    /// True.
    public static var isToMany: Bool { true }
    /// True.
    public static var isOrdered: Bool { true }
    /// An empty list.
    public static var nothing: OrderedToMany { [] }
    /// A view of the slot.
    public static func read(_ object: ManagedObject, _ slot: Int) -> OrderedToMany {
        OrderedToMany(owner: (object, slot))
    }
    /// Sets the destinations of the slot to these objects, in this order.
    public func write(_ object: ManagedObject, _ slot: Int) {
        if let owner, owner.object === object, owner.slot == slot { return }
        object.setMany(slot, objects)
    }
}
