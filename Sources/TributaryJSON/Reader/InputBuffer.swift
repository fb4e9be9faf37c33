/// Bytes that the reading thread passes to the parser.
///
/// `@unchecked Sendable`: the reading thread fills the buffer and passes it through a queue; then it is only read.
final class InputBuffer: @unchecked Sendable {
    let memory: UnsafeMutableRawBufferPointer
    private(set) var count = 0
    /// The pieces in the order of reading: their number of bytes, and the result of the byte check.
    private(set) var pieces: [(count: Int, finding: ByteCheck.Finding)] = []

    init(capacity: Int) { memory = .allocate(byteCount: capacity, alignment: 16) }

    deinit { memory.deallocate() }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    /// The memory for the next bytes, at most `limit`; nil if too little is left for a read.
    func room(for limit: Int) -> UnsafeMutableRawBufferPointer? {
        guard memory.count - count >= min(limit, 4096) else { return nil }
        return UnsafeMutableRawBufferPointer(rebasing: memory[count..<min(memory.count, count + limit)])
    }

    func add(_ added: Int, _ finding: ByteCheck.Finding) {
        count += added
        pieces.append((added, finding))
    }

    func clear() {
        count = 0
        pieces.removeAll(keepingCapacity: true)
    }
}
