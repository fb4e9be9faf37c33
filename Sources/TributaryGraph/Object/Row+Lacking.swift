extension Row {
    /// What a slot reads as if it does not hold what was asked for.
    ///
    /// This is off the way of every value that is there, and so the place where a key path that is being followed can be
    /// seen to read a slot.
    @usableFromInline
    @inline(never)
    func note(_ slot: Int) {
        guard kind(slot) == .boxed, let probe = boxed(slot) as? PropertyProbe else { return }
        probe.note(slot)
    }

    @inlinable
    @inline(__always)
    func lacking<Value>(_ substitute: @autoclosure () -> Value, _ slot: Int) -> Value {
        note(slot)
        return substitute()
    }
}
