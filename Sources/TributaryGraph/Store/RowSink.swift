/// What takes the values of a row one after the other, as the store keeps them.
protocol RowSink: AnyObject {
    /// Adds nothing.
    func appendNull()
    /// Adds a whole number.
    func append(_ value: Int64)
    /// Adds a number with a fraction.
    func append(_ value: Double)
    /// Adds text.
    func append(_ text: String)
    /// Adds text or bytes.
    func append(copying source: UnsafeRawBufferPointer, _ kind: RowBlock.Kind)
}

extension RowBlock: RowSink {}

extension RowBatch: RowSink {
    @inline(__always)
    func appendNull() { addNull() }
    @inline(__always)
    func append(_ value: Int64) { add(value) }
    @inline(__always)
    func append(_ value: Double) { add(value) }

    func append(_ text: String) {
        var text = text
        text.withUTF8 { add(text: UnsafeRawBufferPointer($0)) }
    }

    @inline(__always)
    func append(copying source: UnsafeRawBufferPointer, _ kind: RowBlock.Kind) {
        if kind == .text { add(text: source) } else { add(blob: source) }
    }
}
