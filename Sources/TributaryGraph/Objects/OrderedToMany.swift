/// The objects of an ordered to-many relationship, each once.
///
/// Like `ToMany` it is a view of the relationship, and it is a collection as well.
public struct OrderedToMany<Element: ManagedObject> {
    /// The relationship, in which objects that are inserted come last.
    private var list: ToMany<Element>

    /// The current objects.
    public var objects: [Element] { list.objects }

    /// Whether `object` is one of the objects.
    public func contains(_ object: Element) -> Bool { list.contains(object) }

    /// Adds an object at the end; false if it is there already.
    @discardableResult
    public mutating func append(_ object: Element) -> Bool { list.insert(object) }

    /// Adds an object at `index`, or moves it there.
    public mutating func insert(_ object: Element, at index: Int) {
        var objects = objects
        if let current = objects.firstIndex(of: object) { objects.remove(at: current) }
        objects.insert(object, at: Swift.min(index, objects.count))
        list.replace(with: objects)
    }

    /// Removes an object; false if it is not there.
    @discardableResult
    public mutating func remove(_ object: Element) -> Bool { list.remove(object) }

    /// Removes all objects.
    public mutating func removeAll() { list.removeAll() }
}

extension OrderedToMany: RandomAccessCollection {
    /// The position of the first object, 0.
    public var startIndex: Int { 0 }
    /// The number of objects.
    public var endIndex: Int { list.count }
    /// The object at `index`.
    public subscript(index: Int) -> Element {
        guard let owner = list.owner else { return list.objects[index] }
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
    public init(_ objects: some Sequence<Element>) { self.init(list: ToMany(objects)) }

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
        OrderedToMany(list: .read(object, slot))
    }
    /// Sets the destinations of the slot to these objects, in this order.
    public func write(_ object: ManagedObject, _ slot: Int) { list.write(object, slot) }
}
