#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Writes whole lines to a descriptor.
///
/// Whatever happens, nobody finds half a line: when a write stops in the middle, because the disk is full, what was
/// written of the last line is cut off again, if the descriptor is a file.
final class OutputFile {
    /// Why nothing more can be written.
    enum Failure: Error, Equatable {
        /// The reader of a pipe has gone.
        case closedPipe
        case system(String)
    }

    private let descriptor: Int32
    private let name: String
    private let closesDescriptor: Bool
    private var buffer: [UInt8] = []
    private static let bufferSize = 256 << 10

    /// Standard output.
    static var standardOutput: OutputFile { OutputFile(STDOUT_FILENO, name: "standard output", closesDescriptor: false) }

    private init(_ descriptor: Int32, name: String, closesDescriptor: Bool) {
        self.descriptor = descriptor
        self.name = name
        self.closesDescriptor = closesDescriptor
        buffer.reserveCapacity(OutputFile.bufferSize * 2)
    }

    /// Begins a new file at `path`, in the place of an old one.
    convenience init(replacing path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw Failure.system("cannot write \(path): \(String(cString: strerror(errno)))") }
        self.init(descriptor, name: path, closesDescriptor: true)
    }

    deinit {
        if closesDescriptor { close(descriptor) }
    }

    /// Adds what `body` appends, which must be whole lines.
    func write(_ body: (inout [UInt8]) throws -> Void) throws {
        try body(&buffer)
        if buffer.count >= OutputFile.bufferSize { try flush() }
    }

    /// Hands everything to the system.
    func flush() throws {
        defer { buffer.removeAll(keepingCapacity: true) }
        var written = 0
        while written < buffer.count {
            let count = buffer.withUnsafeBytes { bytes in
                system_write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
            }
            if count >= 0 {
                written += count
                continue
            }
            let code = errno
            if code == EINTR { continue }
            if code == EAGAIN {
                // Somebody has made the terminal or pipe non-blocking: wait for room.
                var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&polled, 1, -1)
                continue
            }
            cutTornLine(written)
            if code == EPIPE { throw Failure.closedPipe }
            throw Failure.system("cannot write \(name): \(String(cString: strerror(code)))")
        }
    }

    /// Takes back what was written behind the last whole line.
    private func cutTornLine(_ written: Int) {
        let torn = written - (buffer[..<written].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)
        var status = stat()
        guard torn > 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        let end = lseek(descriptor, 0, SEEK_CUR)
        guard end >= torn, end == status.st_size else { return }
        _ = ftruncate(descriptor, end - off_t(torn))
        lseek(descriptor, end - off_t(torn), SEEK_SET)
    }
}

private func system_write(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
