import TributaryJSON
import TributaryPlatform

/// Writes whole lines to standard output, or to another file.
///
/// The output never ends in the middle of a line: if a write fails there, as on a full disk, the incomplete line is
/// removed from the file.
final class OutputFile {
    /// The reason why nothing more can be written.
    enum Failure: Error, Equatable {
        /// The reader of the pipe has closed it.
        case closedPipe
        /// The process received a signal while the pipe was full.
        case stopped
        case system(String)
    }

    private let descriptor: Int32
    private let stop: Int32?
    private var buffer: [UInt8] = []
    private static let bufferSize = 256 << 10

    /// Once `stop` can be read, writes no longer wait for a full pipe.
    init(_ descriptor: Int32 = STDOUT_FILENO, stop: Int32? = nil) {
        self.descriptor = descriptor
        var status = stat()
        let isPipe = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
        self.stop = isPipe ? stop : nil
        buffer.reserveCapacity(OutputFile.bufferSize * 2)
    }

    /// The identity of the file; nil if the descriptor is not a file.
    var identity: FileIdentity? { FileIdentity(descriptor) }

    /// Buffers the bytes that `body` appends, which must be whole lines.
    func write(_ body: (inout [UInt8]) throws -> Void) throws {
        try body(&buffer)
        if buffer.count >= OutputFile.bufferSize { try flush() }
    }

    /// Writes a text and what is buffered.
    func end(_ text: String = "") throws {
        buffer += Array(text.utf8)
        try flush()
    }

    /// Writes the buffer to the descriptor.
    func flush() throws {
        defer { buffer.removeAll(keepingCapacity: true) }
        var written = 0
        while written < buffer.count {
            let length = try stop.map { try nextPiece(from: written, stop: $0) } ?? buffer.count - written
            let count = buffer.withUnsafeBytes { bytes in
                writeSome(descriptor, bytes.baseAddress.map { $0 + written }, length)
            }
            if count >= 0 {
                written += count
                continue
            }
            let code = errno
            if code == EINTR { continue }
            if code == EAGAIN {
                // Another process has made the terminal or pipe non-blocking: wait for room.
                var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&polled, 1, -1)
                continue
            }
            removeIncompleteLine(written)
            if code == EPIPE { throw Failure.closedPipe }
            throw Failure.system("cannot write standard output: \(String(cString: strerror(code)))")
        }
    }

    /// Waits for room in a pipe, and returns how many bytes to write: several lines, or a piece of a long one.
    ///
    /// A pipe that can be written to takes `PIPE_BUF` bytes at once without dividing them, so that a stop between two
    /// pieces leaves whole lines.
    private func nextPiece(from start: Int, stop: Int32) throws -> Int {
        let most = min(Int(PIPE_BUF), buffer.count - start)
        let lines = buffer[start..<start + most].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 - start }
        let isAtLine = start == 0 || buffer[start - 1] == UInt8(ascii: "\n")
        while true {
            var polled = [
                pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0),
                pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
            ]
            // In the middle of a line only its end, or a second signal, ends the wait.
            guard poll(&polled, isAtLine ? 2 : 1, -1) >= 0 else { continue }
            if polled[0].revents != 0 { return lines ?? most }
            if polled[1].revents != 0 { throw Failure.stopped }
        }
    }

    /// Removes the bytes written after the last whole line.
    private func removeIncompleteLine(_ written: Int) {
        let torn = written - (buffer[..<written].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)
        var status = stat()
        guard torn > 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        let end = lseek(descriptor, 0, SEEK_CUR)
        guard end >= torn, end == status.st_size else { return }
        _ = ftruncate(descriptor, end - off_t(torn))
        lseek(descriptor, end - off_t(torn), SEEK_SET)
    }
}

/// Calls `write`, whose name methods hide.
func writeSome(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
