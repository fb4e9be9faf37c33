import TributaryConcurrency

/// Bytes that the reading thread passes to the parsers.
///
/// `@unchecked Sendable`: the reading thread fills the buffer and passes it through a queue; then it is only read.
final class InputBuffer: @unchecked Sendable {
    /// Memory for reuse, because fresh memory costs a page fault every 4 KiB.
    final class Pool: Sendable {
        private let free = Guarded<[UncheckedTransfer<UnsafeMutableRawBufferPointer>]>([])
        private let capacity: Int
        private let most: Int

        init(capacity: Int, keeping most: Int) { (self.capacity, self.most) = (capacity, most) }

        deinit { for memory in free.withLock({ $0 }) { memory.value.deallocate() } }

        fileprivate func take() -> UnsafeMutableRawBufferPointer {
            free.withLock { $0.popLast() }?.value ?? .allocate(byteCount: capacity, alignment: 16)
        }

        fileprivate func give(_ memory: UnsafeMutableRawBufferPointer) {
            let isKept = free.withLock { free in
                guard free.count < most else { return false }
                free.append(UncheckedTransfer(memory))
                return true
            }
            if !isKept { memory.deallocate() }
        }
    }

    /// Where the memory returns to; nil for a copy.
    private let pool: Pool?
    private let memory: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    init(_ pool: Pool) {
        self.pool = pool
        memory = pool.take()
    }

    /// A copy of a few bytes, which need not keep the memory for many.
    private init(copying bytes: UnsafeRawBufferPointer) {
        pool = nil
        memory = .allocate(byteCount: bytes.count, alignment: 16)
        memory.copyMemory(from: bytes)
        count = bytes.count
    }

    deinit { if let pool { pool.give(memory) } else { memory.deallocate() } }

    /// The buffer, or a copy if most of its memory is not used.
    var trimmed: InputBuffer { count < memory.count / 4 ? InputBuffer(copying: bytes) : self }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    /// The memory for the next bytes, at most `limit`; nil if too little is left for a read.
    func room(for limit: Int) -> UnsafeMutableRawBufferPointer? {
        guard memory.count - count >= min(limit, 4096) else { return nil }
        return UnsafeMutableRawBufferPointer(rebasing: memory[count..<min(memory.count, count + limit)])
    }

    func add(_ added: Int) { count += added }
}
