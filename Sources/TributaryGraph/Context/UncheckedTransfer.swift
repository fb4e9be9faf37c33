/// Carries what belongs to one queue to that queue.
struct UncheckedTransfer<Value>: @unchecked Sendable {
    // Whoever makes one hands the value to the queue it belongs to, and opens it there alone.
    let value: Value

    init(_ value: Value) { self.value = value }
}
