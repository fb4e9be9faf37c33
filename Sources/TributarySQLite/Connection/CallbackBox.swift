/// Holds a value for callbacks in C, which get a pointer to the box.
final class CallbackBox<Value> {
    let value: Value

    init(_ value: Value) { self.value = value }

    /// The value of the box at a pointer, which stays retained.
    static func value(at pointer: UnsafeMutableRawPointer) -> Value {
        Unmanaged<CallbackBox>.fromOpaque(pointer).takeUnretainedValue().value
    }
}
