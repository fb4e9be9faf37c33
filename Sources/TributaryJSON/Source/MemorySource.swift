/// Bytes in memory.
public struct MemorySource: ByteSource {
    /// The name for messages.
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

extension ByteSource where Self == MemorySource {
    /// The given bytes.
    public static func bytes(_ bytes: some Sequence<UInt8>) -> MemorySource { MemorySource(bytes) }
    /// The UTF-8 bytes of `text`.
    public static func text(_ text: String) -> MemorySource { MemorySource(text.utf8) }
}
