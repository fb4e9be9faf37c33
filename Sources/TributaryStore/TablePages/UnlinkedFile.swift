import Foundation

/// A temporary file without a name, which is deleted with this object.
package final class UnlinkedFile: Sendable {
    /// Why a temporary file could not be used.
    package struct Failure: Error, CustomStringConvertible {
        /// What failed, with the message of the system.
        package let description: String

        init(_ what: String) { description = "a temporary file \(what): \(String(cString: strerror(errno)))" }
    }

    private let descriptor: Int32

    /// Creates a file in a folder.
    package init(in folder: String) throws {
        // The files of a user have one name, so that the next one removes it if a process was killed before it could.
        let name = folder + "/.tributary-\(getuid())"
        var opened: Int32
        repeat {
            opened = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        } while opened < 0 && errno == EEXIST && (unlink(name) == 0 || errno == ENOENT)
        if opened >= 0 {
            // Another process may have removed the name, or this removes that of its file, which needs none.
            unlink(name)
        } else if [EPERM, EACCES, EISDIR].contains(errno) {
            // In a folder for all users, another user may have a file of this name.
            var other = Array((name + "-XXXXXX").utf8CString)
            opened = mkstemp(&other)
            if opened >= 0 {
                unlink(other)
                _ = fcntl(opened, F_SETFD, FD_CLOEXEC)
            }
        }
        guard opened >= 0 else { throw Failure("cannot be created in \(folder)") }
        descriptor = opened
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Writes all bytes.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws {
        var done = 0
        while done < bytes.count, let start = bytes.baseAddress {
            let count = pwrite(descriptor, start + done, bytes.count - done, off_t(offset + done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Failure("cannot be written") }
            done += count
        }
    }

    /// Fills memory with bytes that were written.
    package func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws {
        var done = 0
        while done < bytes.count, let start = bytes.baseAddress {
            let count = pread(descriptor, start + done, bytes.count - done, off_t(offset + done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Failure("cannot be read") }
            done += count
        }
    }
}
