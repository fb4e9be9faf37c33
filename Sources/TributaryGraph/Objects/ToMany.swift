/// The objects of a to-many relationship, without a meaningful order.
///
///     author.books.insert(book)         // book.author is author now
///     for book in author.books { … }
///     author.books = [one, other]
///
/// It is a view of the relationship: an insertion or removal takes effect on both sides at once, in constant time.
public struct ToMany<Element: ManagedObject> {
    /// The object and slot of the relationship; nil for a list that is not assigned to one yet.
    let owner: (object: ManagedObject, slot: Int)?
    private var loose: [Element] = []

    /// The current objects.
    public var objects: [Element] {
        guard let owner else { return loose }
        return owner.object.many(owner.slot).compactMap { $0 as? Element }
    }

    /// The number of objects.
    public var count: Int { owner.map { $0.object.many($0.slot).count } ?? loose.count }
    /// Whether there are no objects.
    public var isEmpty: Bool { count == 0 }

    /// Whether `object` is one of the objects, in constant time.
    public func contains(_ object: Element) -> Bool {
        guard let owner else { return loose.contains(object) }
        return owner.object.loadedMany(owner.slot)?.contains(object) ?? false
    }

    /// Adds an object, in constant time; false if it is there already.
    @discardableResult
    public mutating func insert(_ object: Element) -> Bool {
        if let owner { return owner.object.addToMany(owner.slot, object) }
        guard !loose.contains(object) else { return false }
        loose.append(object)
        return true
    }

    /// Removes an object, in constant time; false if it is not there.
    @discardableResult
    public mutating func remove(_ object: Element) -> Bool {
        if let owner { return owner.object.removeFromMany(owner.slot, object) }
        guard let index = loose.firstIndex(of: object) else { return false }
        loose.remove(at: index)
        return true
    }

    /// Removes all objects.
    public mutating func removeAll() { replace(with: []) }

    mutating func replace(with objects: [Element]) {
        if let owner { owner.object.setMany(owner.slot, objects) } else { loose = objects }
    }
}

extension ToMany: Sequence {
    /// Iterates over the current objects, regardless of changes during the iteration.
    public func makeIterator() -> IndexingIterator<[Element]> { objects.makeIterator() }
}

extension ToMany: ExpressibleByArrayLiteral {
    /// A list of objects, to be assigned to a relationship.
    public init(_ objects: some Sequence<Element>) { self.init(owner: nil, loose: Array(objects)) }

    /// A list of objects, to be assigned to a relationship.
    public init(arrayLiteral objects: Element...) { self.init(objects) }
}

extension ToMany: RelationshipValue {
    /// The class of the objects.
    public static var destinationType: ManagedObject.Type { Element.self }
    /// True.
    public static var isToMany: Bool { true }
    /// False.
    public static var isOrdered: Bool { false }
    /// An empty list.
    public static var nothing: ToMany { [] }
    /// A view of the slot.
    public static func read(_ object: ManagedObject, _ slot: Int) -> ToMany {
        ToMany(owner: (object, slot))
    }
    /// Sets the destinations of the slot to these objects.
    public func write(_ object: ManagedObject, _ slot: Int) {
        // `author.books.insert(book)` assigns the view to the relationship that it was read from.
        if let owner, owner.object === object, owner.slot == slot { return }
        object.setMany(slot, objects)
    }
}
