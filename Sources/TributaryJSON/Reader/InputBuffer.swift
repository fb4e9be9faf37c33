/// Bytes of a source on their way to the parser.
///
/// `@unchecked Sendable`: filled by the thread that reads, then handed over through a queue and only read.
final class InputBuffer: @unchecked Sendable {
    let memory: UnsafeMutableRawBufferPointer
    private(set) var count = 0
    /// What was read in one go, in order: how many bytes, and what the check has found in them.
    private(set) var pieces: [(count: Int, finding: ByteCheck.Finding)] = []

    init(capacity: Int) { memory = .allocate(byteCount: capacity, alignment: 16) }

    deinit { memory.deallocate() }

    /// The bytes of the pieces, one behind the other.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    /// Where the next bytes go, at most `limit`, if there is room worth a read.
    func room(for limit: Int) -> UnsafeMutableRawBufferPointer? {
        guard memory.count - count >= min(limit, 4096) else { return nil }
        return UnsafeMutableRawBufferPointer(rebasing: memory[count..<min(memory.count, count + limit)])
    }

    /// Takes the next `added` bytes as a piece.
    func add(_ added: Int, _ finding: ByteCheck.Finding) {
        count += added
        pieces.append((added, finding))
    }

    func clear() {
        count = 0
        pieces.removeAll(keepingCapacity: true)
    }
}
