import Foundation

/// A pipe whose ends no other child process inherits.
///
/// The testing library starts processes at any time. One that had got an end of a pipe of Foundation would keep the
/// reader of the other end waiting until it ends itself.
struct ToolPipe {
    let reading: FileHandle
    let writing: FileHandle

    init() throws {
        // Only opened files are closed in child processes from their first moment on.
        let name = FileManager.default.temporaryDirectory.appending(path: "tributary-pipe-\(UUID())").path
        guard mkfifo(name, 0o600) == 0 else { throw ToolPipe.failure }
        defer { unlink(name) }
        // Does not wait for a writer.
        let reader = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard reader >= 0 else { throw ToolPipe.failure }
        reading = FileHandle(fileDescriptor: reader, closeOnDealloc: true)
        let writer = open(name, O_WRONLY | O_CLOEXEC)
        guard writer >= 0, fcntl(reader, F_SETFL, 0) == 0 else { throw ToolPipe.failure }
        writing = FileHandle(fileDescriptor: writer, closeOnDealloc: true)
    }

    private static var failure: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EMFILE) }
}
