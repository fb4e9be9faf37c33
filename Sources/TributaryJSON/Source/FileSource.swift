import TributaryPlatform

/// A file, or anything else that has a path.
public struct FileSource: ByteSource {
    /// The path, with invalid UTF-8 replaced.
    public let path: String
    /// The bytes of the path, terminated by a zero.
    private let bytes: [CChar]

    /// The file at `path`.
    public init(_ path: String) {
        self.path = path
        bytes = path.utf8.map { CChar(bitPattern: $0) } + [0]
    }

    /// The file at a path that need not be UTF-8.
    public init(pathBytes: some Sequence<UInt8>) {
        path = String(decoding: Array(pathBytes), as: UTF8.self)
        bytes = pathBytes.map { CChar(bitPattern: $0) } + [0]
    }

    /// Calls `body` with the path as a C string.
    package func withPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        bytes.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { preconditionFailure("internal error: an empty path buffer") }
            return body(start)
        }
    }

    /// The path.
    public var name: String { path }

    /// The size of a regular file.
    public var byteCount: Int? {
        var status = stat()
        guard withPath({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// Opens the file.
    public func open() throws -> any ByteStream {
        guard bytes.dropLast().allSatisfy({ $0 != 0 }) else {
            throw JSONError(.sourceOpen, "a path cannot contain a NUL byte")
        }
        let descriptor = withPath(openFile)
        guard descriptor >= 0 else { throw DescriptorStream.failure(.sourceOpen, path, errno) }
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            close(descriptor)
            throw JSONError(
                .sourceOpen, "\(Excerpt.escape(path)): is a directory",
                hint: "name the files in it, as \(Excerpt.escape(path))/*.json")
        }
        do {
            return try DescriptorStream(descriptor, name: path, closesDescriptor: true)
        } catch {
            close(descriptor)
            throw error
        }
    }
}

/// Calls the function of the system, which the methods of sources hide.
private func openFile(_ path: UnsafePointer<CChar>) -> Int32 { open(path, O_RDONLY | O_CLOEXEC) }

extension ByteSource where Self == FileSource {
    /// The file at `path`.
    public static func file(_ path: String) -> FileSource { FileSource(path) }
}

extension ByteSource where Self == DescriptorSource {
    /// The standard input of the process.
    public static var standardInput: DescriptorSource { DescriptorSource(STDIN_FILENO, name: "standard input") }
}
