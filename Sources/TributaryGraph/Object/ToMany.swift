/// The objects of a to-many relationship, in no order that means anything.
///
///     author.books.insert(book)         // book.author is author now
///     for book in author.books { … }
///     author.books = [one, other]
///
/// It is a view: what is inserted and removed is so at once, on both sides, whatever the number of the others.
public struct ToMany<Element: ManagedObject> {
    /// The object it belongs to, and its slot; nil for a list that has been assigned nowhere yet.
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

    /// How many there are.
    public var count: Int { owner.map { $0.object.many($0.slot).count } ?? loose.count }
    /// Whether there are none.
    public var isEmpty: Bool { count == 0 }

    /// Whether `object` is one of them, in constant time.
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

    /// Takes an object out, in constant time; false if it is not there.
    @discardableResult
    public mutating func remove(_ object: Element) -> Bool {
        if let owner { return owner.object.removeFromMany(owner.slot, object) }
        guard let place = loose.firstIndex(of: object) else { return false }
        loose.remove(at: place)
        return true
    }

    /// Takes all objects out.
    public mutating func removeAll() {
        if let owner { owner.object.setMany(owner.slot, []) } else { loose = [] }
    }
}

extension ToMany: Sequence {
    /// Iterates over the objects of this moment: what changes meanwhile does not disturb.
    public func makeIterator() -> IndexingIterator<[Element]> { objects.makeIterator() }
}

extension ToMany: ExpressibleByArrayLiteral {
    /// A list of objects, to be assigned.
    public init(arrayLiteral objects: Element...) { self.init(objects) }
}

extension ToMany: RelationshipValue {
    /// The class of the objects.
    public static var destinationType: ManagedObject.Type { Element.self }
    /// True.
    public static var isToMany: Bool { true }
    /// False.
    public static var isOrdered: Bool { false }
    /// No objects.
    public static var nothing: ToMany { [] }
    /// A view of the slot.
    public static func read(_ object: ManagedObject, _ slot: Int) -> ToMany {
        ToMany(owner: (object, slot), loose: [])
    }
    /// Makes these objects those of the slot.
    public func write(_ object: ManagedObject, _ slot: Int) {
        // `author.books.insert(book)` assigns the view to where it came from.
        if let owner, owner.object === object, owner.slot == slot { return }
        object.setMany(slot, objects)
    }
}
