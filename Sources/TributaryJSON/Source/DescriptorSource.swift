import TributaryPlatform

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

    /// Waits for the first byte, without reading it, or until `stop` can be read; true if there is no byte.
    package func isAtEnd(stop: Int32) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        if status.st_mode & S_IFMT == S_IFREG {
            return lseek(descriptor, 0, SEEK_CUR) >= status.st_size
        }
        if status.st_mode & S_IFMT == S_IFCHR {
            var null = stat()
            return stat("/dev/null", &null) == 0 && status.st_rdev == null.st_rdev
                // A descriptor that was closed stands for one that cannot be read.
                && fcntl(descriptor, F_GETFL) & O_ACCMODE != O_WRONLY
        }
        guard status.st_mode & S_IFMT == S_IFIFO || status.st_mode & S_IFMT == S_IFSOCK else { return false }
        var requests = [descriptor, stop].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while poll(&requests, 2, -1) < 0 { if errno != EINTR { return false } }
        guard requests[1].revents == 0 else { return false }
        // The other end is closed, and nothing is left to read.
        return requests[0].revents & Int16(POLLHUP) != 0 && requests[0].revents & Int16(POLLIN) == 0
    }

    /// Reads from the current offset of the descriptor.
    public func open() throws -> any ByteStream {
        try DescriptorStream(descriptor, name: name, closesDescriptor: false)
    }
}
