import Synchronization

/// Bytes that are in memory already.
public struct MemorySource: ByteSource {
    /// What messages call it.
    public let name: String
    private let bytes: [UInt8]

    /// The given bytes.
    public init(_ bytes: some Sequence<UInt8>, name: String = "memory") {
        self.bytes = Array(bytes)
        self.name = name
    }

    /// The number of bytes.
    public var byteCount: Int? { bytes.count }

    /// Starts at the first byte.
    public func open() throws -> any ByteStream { MemoryStream(bytes) }
}

/// Reads an array of bytes.
public final class MemoryStream: ByteStream {
    private let bytes: [UInt8]
    private let position = Atomic<Int>(0)

    /// Reads `bytes`.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Always.
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

    /// Goes to `offset`.
    public func seek(to offset: Int) throws -> Bool {
        position.store(min(offset, bytes.count), ordering: .relaxed)
        return true
    }
}

extension ByteSource where Self == MemorySource {
    /// The given bytes.
    public static func bytes(_ bytes: some Sequence<UInt8>) -> MemorySource { MemorySource(bytes) }
    /// The UTF-8 bytes of `text`.
    public static func text(_ text: String) -> MemorySource { MemorySource(text.utf8) }
}
