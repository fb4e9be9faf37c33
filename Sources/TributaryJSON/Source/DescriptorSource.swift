#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An open descriptor, such as standard input, which can be read once.
public struct DescriptorSource: ByteSource {
    /// The name for messages.
    public let name: String
    private let descriptor: Int32

    /// Reads from `descriptor`, which stays open.
    public init(_ descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    /// The size of a regular file, else nil.
    public var byteCount: Int? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// Reads from the current offset of the descriptor.
    public func open() throws -> any ByteStream {
        try DescriptorStream(descriptor, name: name, closesDescriptor: false)
    }
}
