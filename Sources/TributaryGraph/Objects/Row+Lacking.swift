extension Row {
    /// Reports the read of a slot to the trace of a key path, if one is being followed.
    ///
    /// The slots of a traced object hold probes instead of values. The method is called only if a slot has no value of
    /// the expected kind, so that it costs the reads of values nothing.
    @usableFromInline
    @inline(never)
    func reportRead(_ slot: Int) {
        guard kind(slot) == .boxed, let probe = boxed(slot) as? PropertyProbe else { return }
        probe.recordRead(slot)
    }

    /// The value that a slot without a value of the expected kind reads as.
    @inlinable
    @inline(__always)
    func fallback<Value>(_ substitute: @autoclosure () -> Value, _ slot: Int) -> Value {
        reportRead(slot)
        return substitute()
    }
}
