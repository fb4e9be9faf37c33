/// Holds a value that is larger than a slot.
@usableFromInline
package final class Box<Value> {
    @usableFromInline package let value: Value

    @inlinable package init(_ value: Value) { self.value = value }

    /// The value of the box in `slot`; nil if there is none.
    @inlinable
    package static func value(_ row: Row, _ slot: Int) -> Value? {
        row.kind(slot) == .boxed ? (row.boxed(slot) as? Box<Value>)?.value : nil
    }
}
