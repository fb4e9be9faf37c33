#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An open descriptor, standard input above all; it can be read once.
public struct DescriptorSource: ByteSource {
    /// What messages call it.
    public let name: String
    private let descriptor: Int32

    /// The bytes that come from `descriptor`, which stays open.
    public init(_ descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    /// The size, if the descriptor is a regular file.
    public var byteCount: Int? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// Reads from where the descriptor stands.
    public func open() throws -> any ByteStream {
        try DescriptorStream(descriptor, name: name, closesDescriptor: false)
    }
}
