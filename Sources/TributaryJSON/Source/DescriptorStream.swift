import Synchronization
import TributaryPlatform

/// Reads a file descriptor: a file, a pipe, a terminal, a socket.
///
/// A waiting read also polls a pipe, to which `cancel` writes.
public final class DescriptorStream: ByteStream {
    private let descriptor: Int32
    private let name: String
    private let closesDescriptor: Bool
    /// The ends of the pipe that wakes a waiting read; nil for a regular file, which never blocks.
    private let wake: (read: Int32, write: Int32)?
    /// The initial offset of a file, which is byte 0 of the stream.
    private let origin: off_t
    private let isCancelled = Atomic<Bool>(false)

    /// Reads from an open `descriptor`.
    ///
    /// - Parameters:
    ///   - descriptor: An open file descriptor.
    ///   - name: The name for messages.
    ///   - closesDescriptor: Whether the stream closes the descriptor when it is deallocated.
    /// - Throws: `JSONError` if the system cannot create a pipe to wake a waiting read.
    public init(_ descriptor: Int32, name: String, closesDescriptor: Bool) throws {
        self.descriptor = descriptor
        self.name = name
        self.closesDescriptor = closesDescriptor
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.failure(.sourceOpen, name, errno) }
        if status.st_mode & S_IFMT == S_IFREG {
            wake = nil
            origin = max(0, lseek(descriptor, 0, SEEK_CUR))
        } else {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { throw Self.failure(.sourceOpen, name, errno) }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            wake = (ends[0], ends[1])
            origin = 0
        }
    }

    deinit {
        if closesDescriptor { close(descriptor) }
        if let wake {
            close(wake.read)
            close(wake.write)
        }
    }

    /// Reads the available bytes, at least one.
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while !isCancelled.load(ordering: .relaxed) {
            if let wake, try !waitForBytes(wake.read) { return 0 }
            let count = readBytes(descriptor, buffer)
            if count >= 0 { return count }
            guard errno == EINTR || errno == EAGAIN else { throw Self.failure(.sourceRead, name, errno) }
        }
        return 0
    }

    /// Whether bytes are available, as they always are in a file.
    public var isReady: Bool {
        guard wake != nil else { return true }
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, 0) > 0
    }

    /// Waits for the descriptor; false if the stream was cancelled meanwhile.
    private func waitForBytes(_ wakeEnd: Int32) throws -> Bool {
        var polled = [descriptor, wakeEnd].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while poll(&polled, 2, -1) < 0 {
            guard errno == EINTR else { throw Self.failure(.sourceRead, name, errno) }
        }
        return polled[1].revents == 0
    }

    /// Moves to `offset` if the descriptor is a regular file.
    public func seek(to offset: Int) throws -> Bool {
        var status = stat()
        // A file that has become shorter is read from its start, so that the reader detects the change.
        guard wake == nil, fstat(descriptor, &status) == 0, off_t(offset) <= status.st_size - origin else {
            return false
        }
        guard lseek(descriptor, origin + off_t(offset), SEEK_SET) >= 0 else {
            throw Self.failure(.sourceRead, name, errno)
        }
        return true
    }

    /// Ends a waiting read.
    public func cancel() {
        guard !isCancelled.exchange(true, ordering: .relaxed), let wake else { return }
        var byte: UInt8 = 0
        _ = write(wake.write, &byte, 1)
    }

    /// The error of a system call on a file or another source.
    package static func failure(_ code: JSONError.Code, _ name: String, _ number: Int32) -> JSONError {
        JSONError(code, "\(Excerpt.escape(name)): \(String(cString: strerror(number)))")
    }
}

/// Calls the function of the system, which the method of the stream hides.
private func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
}
