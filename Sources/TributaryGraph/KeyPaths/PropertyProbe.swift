/// A value for a slot that records in its trace that the slot was read.
final class PropertyProbe {
    private unowned let trace: KeyPathTrace
    private let objectIndex: Int

    init(_ trace: KeyPathTrace, _ objectIndex: Int) {
        self.trace = trace
        self.objectIndex = objectIndex
    }

    func recordRead(_ slot: Int) { trace.record(.init(objectIndex: objectIndex, slot: slot, isRelationship: false)) }
}
