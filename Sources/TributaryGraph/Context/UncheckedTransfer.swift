/// Carries a value to the queue that it belongs to.
struct UncheckedTransfer<Value>: @unchecked Sendable {
    // The value is read only on the queue that it belongs to, which each use ensures.
    let value: Value

    init(_ value: Value) { self.value = value }
}
