/// Lies in a slot in place of a value, and tells when it is looked at.
final class PropertyProbe {
    private unowned let trace: KeyPathTrace
    private let place: Int

    init(_ trace: KeyPathTrace, _ place: Int) {
        self.trace = trace
        self.place = place
    }

    /// Somebody has read the slot as an attribute.
    func note(_ slot: Int) { trace.note(.init(place: place, slot: slot, isRelationship: false)) }
}
