struct ObjectSet {
    private(set) var objects: [ManagedObject] = []
    /// The index of each object; empty as long as there are only a few.
    private var indexes: [ObjectIdentifier: Int] = [:]
    private static let few = 8

    init() {}

    init(_ objects: some Sequence<ManagedObject>) {
        for object in objects { append(object) }
    }

    var count: Int { objects.count }
    var isEmpty: Bool { objects.isEmpty }

    func index(of object: ManagedObject) -> Int? {
        objects.count > ObjectSet.few ? indexes[ObjectIdentifier(object)] : objects.firstIndex { $0 === object }
    }

    func contains(_ object: ManagedObject) -> Bool { index(of: object) != nil }

    /// Adds an object at the end; false if it is there already.
    @discardableResult
    mutating func append(_ object: ManagedObject) -> Bool {
        guard index(of: object) == nil else { return false }
        objects.append(object)
        if objects.count == ObjectSet.few + 1 {
            updateIndexes(from: 0)
        } else if objects.count > ObjectSet.few {
            indexes[ObjectIdentifier(object)] = objects.count - 1
        }
        return true
    }

    /// Removes an object; false if it is not there.
    ///
    /// Without `keepingOrder` the last object moves to its index, so that the removal takes constant time.
    @discardableResult
    mutating func remove(_ object: ManagedObject, keepingOrder: Bool) -> Bool {
        guard let index = index(of: object) else { return false }
        indexes.removeValue(forKey: ObjectIdentifier(object))
        if keepingOrder {
            objects.remove(at: index)
            if objects.count > ObjectSet.few { updateIndexes(from: index) }
        } else {
            objects.swapAt(index, objects.count - 1)
            objects.removeLast()
            if objects.count > ObjectSet.few, index < objects.count {
                indexes[ObjectIdentifier(objects[index])] = index
            }
        }
        if objects.count <= ObjectSet.few { indexes.removeAll() }
        return true
    }

    mutating func move(from source: Int, to target: Int) {
        let object = objects.remove(at: source)
        objects.insert(object, at: target)
        if objects.count > ObjectSet.few { updateIndexes(from: min(source, target)) }
    }

    private mutating func updateIndexes(from start: Int) {
        for index in start..<objects.count { indexes[ObjectIdentifier(objects[index])] = index }
    }
}
