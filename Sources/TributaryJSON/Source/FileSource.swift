#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file, or anything else that a path leads to.
public struct FileSource: ByteSource {
    /// The path as it was given.
    public let path: String

    /// The file at `path`.
    public init(_ path: String) { self.path = path }

    /// The path.
    public var name: String { path }

    /// The size of a regular file.
    public var byteCount: Int? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// Opens the file.
    public func open() throws -> any ByteStream {
        guard !path.utf8.contains(0) else { throw JSONError(.sourceOpen, "a path cannot contain a NUL byte") }
        #if canImport(Darwin)
        let descriptor = Darwin.open(path, O_RDONLY | O_CLOEXEC)
        #elseif canImport(Musl)
        let descriptor = Musl.open(path, O_RDONLY | O_CLOEXEC)
        #else
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        #endif
        guard descriptor >= 0 else { throw DescriptorStream.failure(.sourceOpen, path, errno) }
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            close(descriptor)
            var error = JSONError(.sourceOpen, "\(Excerpt.escape(path)): is a directory")
            error.hint = "name the files in it, as \(Excerpt.escape(path))/*.json"
            throw error
        }
        return try DescriptorStream(descriptor, name: path, closesDescriptor: true)
    }
}

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

extension ByteSource where Self == FileSource {
    /// The file at `path`.
    public static func file(_ path: String) -> FileSource { FileSource(path) }
}

extension ByteSource where Self == DescriptorSource {
    /// What the process is fed.
    public static var standardInput: DescriptorSource { DescriptorSource(STDIN_FILENO, name: "standard input") }
}
