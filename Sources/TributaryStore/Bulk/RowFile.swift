import Synchronization

/// The values of many rows in an unlinked file, which is deleted with this object.
package final class RowFile: Sendable {
    /// Memory for one row.
    package final class Buffer {
        fileprivate var memory = UnsafeMutableRawPointer.allocate(byteCount: 1 << 10, alignment: 8)
        fileprivate var capacity = 1 << 10

        package init() {}

        deinit { memory.deallocate() }

        fileprivate func grow(to count: Int) {
            memory.deallocate()
            capacity = count
            memory = .allocate(byteCount: count, alignment: 8)
        }
    }

    /// The number of open files, bounded because a process may open few.
    private static let count = Atomic<Int>(0)
    private static let limit = 128

    private let file: UnlinkedFile

    /// A file of `bytes`; nil if it cannot be written.
    init?(_ bytes: UnsafeRawBufferPointer, in folder: String) {
        guard RowFile.count.add(1, ordering: .relaxed).newValue <= RowFile.limit,
            let file = try? UnlinkedFile(in: folder), (try? file.write(bytes, at: 0)) != nil
        else {
            RowFile.count.subtract(1, ordering: .relaxed)
            return nil
        }
        self.file = file
    }

    deinit { RowFile.count.subtract(1, ordering: .relaxed) }

    /// Reads `count` bytes into the buffer.
    func read(_ count: Int, at offset: Int, _ buffer: Buffer) throws -> UnsafeRawPointer {
        if count > buffer.capacity { buffer.grow(to: count) }
        try file.read(into: UnsafeMutableRawBufferPointer(start: buffer.memory, count: count), at: offset)
        return UnsafeRawPointer(buffer.memory)
    }
}
