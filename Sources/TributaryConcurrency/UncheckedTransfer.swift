/// Carries a value to the queue that it belongs to.
package struct UncheckedTransfer<Value>: @unchecked Sendable {
    // The value is read only on the queue that it belongs to, which each use ensures.
    package let value: Value

    package init(_ value: Value) { self.value = value }
}
