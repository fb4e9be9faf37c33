/// The memory of one chunk: arena, tape and entries.
///
/// `@unchecked Sendable`: one thread at a time owns a block and writes to it; once it is published in a
/// `ChunkStorage`, it is only read.
final class Block: @unchecked Sendable {
    private(set) var bytes: UnsafeMutablePointer<UInt8>
    private(set) var capacity: Int
    var tape: UnsafeMutablePointer<TapeWord>
    var tapeCapacity: Int
    var entries: UnsafeMutablePointer<RecordEntry>
    var entryCapacity: Int

    /// The number of extra bytes at the end, which readers may load together with the last ones.
    static let padding = 16

    init(capacity: Int) {
        self.capacity = capacity
        bytes = .allocate(capacity: capacity + Block.padding)
        tapeCapacity = capacity / 8 + 64
        tape = .allocate(capacity: tapeCapacity)
        entryCapacity = capacity / 128 + 16
        entries = .allocate(capacity: entryCapacity)
    }

    deinit {
        bytes.deallocate()
        tape.deallocate()
        entries.deallocate()
    }

    func reserve(_ count: Int, keeping used: Int) {
        guard count > capacity else { return }
        capacity = max(count, capacity + capacity / 2)
        bytes.grow(to: capacity + Block.padding, keeping: used)
    }

    /// Makes room for `count` words, without those that are there.
    func reserveTape(_ count: Int) {
        guard count > tapeCapacity else { return }
        tape.deallocate()
        tapeCapacity = count * 2
        tape = .allocate(capacity: tapeCapacity)
    }

    var byteCount: Int {
        capacity + tapeCapacity * MemoryLayout<TapeWord>.stride + entryCapacity * MemoryLayout<RecordEntry>.stride
    }
}

extension UnsafeMutablePointer {
    /// Moves the first `count` elements to new memory with room for `capacity`.
    mutating func grow(to capacity: Int, keeping count: Int) {
        let larger = UnsafeMutablePointer.allocate(capacity: capacity)
        larger.update(from: self, count: count)
        deallocate()
        self = larger
    }
}
