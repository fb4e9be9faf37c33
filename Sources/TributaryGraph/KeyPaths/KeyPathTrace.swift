/// Finds out where a key path leads by walking it on objects that are good for nothing else.
///
/// Swift tells nothing about a key path. But what it reads can be seen: a relationship asks `follow`, and an attribute
/// finds a `PropertyProbe` in its slot.
///
///     \Book.author?.name     Book: slot 9, a relationship  →  Author: slot 1, an attribute
final class KeyPathTrace {
    /// A property that was read.
    struct Step: Hashable {
        /// The object, in the order in which they were made.
        let place: Int
        let slot: Int
        let isRelationship: Bool
    }

    /// An object that is walked on.
    struct Place {
        let object: ManagedObject
        let row: Row
        /// The names of the properties by their slots.
        let names: [Int: String]
        /// What the attributes hold by their slots.
        let attributes: [Int: any AttributeValue.Type]
    }

    private(set) var places: [Place] = []
    private(set) var steps: [Step] = []
    /// The object that each relationship leads to.
    private var ways: [Step: Int] = [:]

    /// A trace that begins at an object of `type`.
    init(_ type: ManagedObject.Type) { _ = settle(type) }

    /// Walks a key path; what it reads is in `steps`, and what it gives is returned.
    @discardableResult
    func walk(_ path: AnyKeyPath) -> Any? {
        steps = []
        return Declaring.follow(self) { places[0].object[keyPath: path] }
    }

    /// Whether one step led to the next, from the first object on, without a glance to the side.
    var isChain: Bool {
        var place = 0
        for (index, step) in steps.enumerated() {
            guard step.place == place, places[place].names[step.slot] != nil else { return false }
            if index == steps.count - 1 { return true }
            guard let next = ways[step] else { return false }
            place = next
        }
        return false
    }

    /// The names of the properties on the way.
    var names: [String] { steps.compactMap { places[$0.place].names[$0.slot] } }

    /// Whether the last step is a relationship.
    var endsInRelationship: Bool { steps.last?.isRelationship == true }

    /// Notes that a property is read; reading one twice in a row is reading it once.
    func note(_ step: Step) {
        if steps.last != step { steps.append(step) }
    }

    /// What a relationship gives while a key path is followed; nil if none is, on this object.
    static func follow<Value: RelationshipValue>(_ slot: UInt16, of object: ManagedObject) -> Value? {
        guard let trace = Declaring.trace, let place = trace.places.firstIndex(where: { $0.object === object }) else {
            return nil
        }
        let step = Step(place: place, slot: Int(slot), isRelationship: true)
        trace.note(step)
        if Value.isToMany { return Value.nothing }
        let next = trace.ways[step] ?? trace.settle(Value.destinationType)
        trace.ways[step] = next
        return trace.places[next].object as? Value
    }

    /// Makes an object of `type` with a probe in every slot.
    private func settle(_ type: ManagedObject.Type) -> Int {
        let (described, said) = Declaring.describe(type)
        let names = ClassDescription.names(of: described).all
        let row = Row.allocate(names.count)
        for slot in 0..<names.count { row.set(PropertyProbe(self, places.count), slot) }
        let slots = (0..<UInt16(names.count)).map { $0 }
        let object = slots.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return type.init(ObjectStorage(row: row, registry: nil)) }
            return Declaring.make(type, slots: start, ObjectStorage(row: row, registry: nil))
        }
        places.append(
            Place(
                object: object, row: row,
                names: Dictionary(uniqueKeysWithValues: names.map { (Int($0.key), $0.value) }),
                attributes: Dictionary(uniqueKeysWithValues: said.attributes.map { (Int($0.slot), $0.valueType) })))
        return places.count - 1
    }
}
