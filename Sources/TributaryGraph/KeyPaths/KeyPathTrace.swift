/// Determines the properties in a key path by reading it on dummy objects and recording what is read.
///
/// Swift does not expose the components of a key path. But the reads can be observed: a relationship calls `follow`,
/// and an attribute reads a `PropertyProbe` in its slot.
///
///     \Book.author?.name     Book: slot 9, a relationship  →  Author: slot 1, an attribute
final class KeyPathTrace {
    /// A property that was read.
    struct Step: Hashable {
        let objectIndex: Int
        let slot: Int
        let isRelationship: Bool
    }

    /// A dummy object, on which a key path is read.
    struct DummyObject {
        let object: ManagedObject
        let row: Row
        let names: [Int: String]
        let attributes: [Int: any AttributeValue.Type]
    }

    private(set) var objects: [DummyObject] = []
    private(set) var steps: [Step] = []
    /// The index of the destination object of each relationship.
    private var destinations: [Step: Int] = [:]

    init(_ type: ManagedObject.Type) { _ = addObject(of: type) }

    /// Reads a key path, records the properties in `steps`, and returns the value.
    @discardableResult
    func walk(_ path: AnyKeyPath) -> Any? {
        steps = []
        return Declaring.follow(self) { objects[0].object[keyPath: path] }
    }

    /// Whether the steps form one chain: each property belongs to the destination of the step before.
    var isChain: Bool {
        var objectIndex = 0
        for (index, step) in steps.enumerated() {
            guard step.objectIndex == objectIndex, objects[objectIndex].names[step.slot] != nil else { return false }
            if index == steps.count - 1 { return true }
            guard let next = destinations[step] else { return false }
            objectIndex = next
        }
        return false
    }

    var names: [String] { steps.compactMap { objects[$0.objectIndex].names[$0.slot] } }

    /// Records the read of a property; consecutive reads of the same property count once.
    func record(_ step: Step) {
        if steps.last != step { steps.append(step) }
    }

    /// The value of a relationship while a trace reads it; nil if no trace reads this object.
    static func follow<Value: RelationshipValue>(_ slot: UInt16, of object: ManagedObject) -> Value? {
        guard let trace = Declaring.trace, let index = trace.objects.firstIndex(where: { $0.object === object }) else {
            return nil
        }
        let step = Step(objectIndex: index, slot: Int(slot), isRelationship: true)
        trace.record(step)
        if Value.isToMany { return Value.nothing }
        let next = trace.destinations[step] ?? trace.addObject(of: Value.destinationType)
        trace.destinations[step] = next
        return trace.objects[next].object as? Value
    }

    /// Creates an object of `type` with a probe in every slot, and returns its index.
    private func addObject(of type: ManagedObject.Type) -> Int {
        let (described, collector) = Declaring.describe(type)
        let names = ClassDescription.names(of: described, collector).all
        let row = Row.allocate(names.count)
        for slot in 0..<names.count { row.set(PropertyProbe(self, objects.count), slot) }
        let slots = (0..<UInt16(names.count)).map { $0 }
        let object = slots.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return type.init(ObjectStorage(row: row, registry: nil)) }
            return Declaring.make(type, slots: start, ObjectStorage(row: row, registry: nil))
        }
        objects.append(
            DummyObject(
                object: object, row: row,
                names: Dictionary(uniqueKeysWithValues: names.map { (Int($0.key), $0.value) }),
                attributes: Dictionary(
                    uniqueKeysWithValues: collector.attributes.map { (Int($0.slot), $0.valueType) })))
        return objects.count - 1
    }
}
