import Foundation
import Synchronization

/// The values of many rows in an unlinked file, which is deleted with this object.
package final class RowFile: Sendable {
    /// Why a row could not be read back.
    package struct Failure: Error, CustomStringConvertible {
        /// The reason, with the message of the system.
        package let description: String
    }

    /// Memory for one row.
    package final class Buffer {
        fileprivate var memory = UnsafeMutableRawPointer.allocate(byteCount: 1 << 10, alignment: 8)
        fileprivate var capacity = 1 << 10

        package init() {}

        deinit { memory.deallocate() }

        fileprivate func grow(to count: Int) {
            memory.deallocate()
            capacity = count
            memory = .allocate(byteCount: count, alignment: 8)
        }
    }

    /// The number of open files, bounded because a process may open few.
    private static let count = Atomic<Int>(0)
    private static let limit = 128

    private let descriptor: Int32

    /// A file of `bytes`; nil if it cannot be written.
    init?(_ bytes: UnsafeRawBufferPointer, in folder: String) {
        guard RowFile.count.add(1, ordering: .relaxed).newValue <= RowFile.limit else {
            RowFile.count.subtract(1, ordering: .relaxed)
            return nil
        }
        var name = Array((folder + "/.tributary-rows-XXXXXX").utf8CString)
        let file = mkstemp(&name)
        guard file >= 0 else {
            RowFile.count.subtract(1, ordering: .relaxed)
            return nil
        }
        unlink(name)
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        descriptor = file
        var done = 0
        while done < bytes.count {
            guard let start = bytes.baseAddress else { break }
            let count = write(file, start + done, bytes.count - done)
            if count < 0, errno == EINTR { continue }
            // All properties are initialized, so `deinit` closes the file.
            guard count > 0 else { return nil }
            done += count
        }
    }

    deinit {
        close(descriptor)
        RowFile.count.subtract(1, ordering: .relaxed)
    }

    /// Reads `count` bytes into the buffer.
    func read(_ count: Int, at offset: Int, _ buffer: Buffer) throws -> UnsafeRawPointer {
        if count > buffer.capacity { buffer.grow(to: count) }
        var done = 0
        while done < count {
            let step = pread(descriptor, buffer.memory + done, count - done, off_t(offset + done))
            if step < 0, errno == EINTR { continue }
            guard step > 0 else {
                throw Failure(
                    description: "cannot read rows back from a temporary file: \(String(cString: strerror(errno)))")
            }
            done += step
        }
        return UnsafeRawPointer(buffer.memory)
    }
}
