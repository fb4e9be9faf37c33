/// Objects in the order in which they came; each is there once.
struct ObjectSet {
    private(set) var objects: [ManagedObject] = []
    /// Where each object stands; made when there are more than a few.
    private var places: [ObjectIdentifier: Int] = [:]
    private static let few = 8

    init() {}

    init(_ objects: some Sequence<ManagedObject>) {
        for object in objects { append(object) }
    }

    var count: Int { objects.count }
    var isEmpty: Bool { objects.isEmpty }

    /// Where an object stands, or nil.
    func place(of object: ManagedObject) -> Int? {
        objects.count > ObjectSet.few ? places[ObjectIdentifier(object)] : objects.firstIndex { $0 === object }
    }

    func contains(_ object: ManagedObject) -> Bool { place(of: object) != nil }

    /// Adds an object at the end; false if it is there already.
    @discardableResult
    mutating func append(_ object: ManagedObject) -> Bool {
        guard place(of: object) == nil else { return false }
        objects.append(object)
        if objects.count == ObjectSet.few + 1 {
            number(from: 0)
        } else if objects.count > ObjectSet.few {
            places[ObjectIdentifier(object)] = objects.count - 1
        }
        return true
    }

    /// Takes an object out; false if it is not there.
    ///
    /// Where the order does not matter the last one takes its place.
    @discardableResult
    mutating func remove(_ object: ManagedObject, keepingOrder: Bool) -> Bool {
        guard let place = place(of: object) else { return false }
        places.removeValue(forKey: ObjectIdentifier(object))
        if keepingOrder {
            objects.remove(at: place)
            if objects.count > ObjectSet.few { number(from: place) }
        } else {
            objects.swapAt(place, objects.count - 1)
            objects.removeLast()
            if objects.count > ObjectSet.few, place < objects.count {
                places[ObjectIdentifier(objects[place])] = place
            }
        }
        if objects.count <= ObjectSet.few { places.removeAll() }
        return true
    }

    /// Moves the object at `source` to `target`.
    mutating func move(from source: Int, to target: Int) {
        let object = objects.remove(at: source)
        objects.insert(object, at: target)
        if objects.count > ObjectSet.few { number(from: min(source, target)) }
    }

    private mutating func number(from start: Int) {
        for place in start..<objects.count { places[ObjectIdentifier(objects[place])] = place }
    }
}
