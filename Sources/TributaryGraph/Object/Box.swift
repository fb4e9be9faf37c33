/// Holds a value that needs more room than a slot has.
final class Box<Value> {
    let value: Value

    init(_ value: Value) { self.value = value }

    /// The value that a box in `slot` holds.
    static func value(_ row: Row, _ slot: Int) -> Value? {
        row.kind(slot) == .boxed ? (row.boxed(slot) as? Box<Value>)?.value : nil
    }
}
