import Synchronization

/// Reads an array of bytes.
public final class MemoryStream: ByteStream {
    private let bytes: [UInt8]
    private let position = Atomic<Int>(0)

    /// Reads `bytes`.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Always true.
    public var isReady: Bool { true }

    /// Copies the next bytes.
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let start = position.load(ordering: .relaxed)
        let count = min(buffer.count, bytes.count - start)
        guard count > 0 else { return 0 }
        bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<start + count])) }
        position.store(start + count, ordering: .relaxed)
        return count
    }

    /// Moves to `offset`.
    public func seek(to offset: Int) throws -> Bool {
        guard offset <= bytes.count else { return false }
        position.store(offset, ordering: .relaxed)
        return true
    }
}
