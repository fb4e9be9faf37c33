import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The values of many rows that wait in a file: it has no name any more, and is gone with this object.
package final class RowFile: Sendable {
    /// Why a row could not be read back.
    package struct Failure: Error, CustomStringConvertible {
        /// What the system says.
        package let description: String
    }

    /// Memory for one row.
    package final class Room {
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

    /// How many there are, and may be: a process has few files.
    private static let count = Atomic<Int>(0)
    private static let limit = 128

    private let descriptor: Int32

    /// A file of `bytes`; nil if it cannot be made.
    init?(_ bytes: UnsafeRawBufferPointer, in folder: String) {
        guard RowFile.count.add(1, ordering: .relaxed).newValue <= RowFile.limit else {
            RowFile.count.subtract(1, ordering: .relaxed)
            return nil
        }
        var name = Array((folder + "/.tributary-rows-XXXXXX").utf8CString)
        let made = mkstemp(&name)
        guard made >= 0 else {
            RowFile.count.subtract(1, ordering: .relaxed)
            return nil
        }
        unlink(name)
        _ = fcntl(made, F_SETFD, FD_CLOEXEC)
        descriptor = made
        var done = 0
        while done < bytes.count {
            guard let start = bytes.baseAddress else { break }
            let count = write(made, start + done, bytes.count - done)
            if count < 0, errno == EINTR { continue }
            // The file is closed with the object, of which all is there already.
            guard count > 0 else { return nil }
            done += count
        }
    }

    deinit {
        close(descriptor)
        RowFile.count.subtract(1, ordering: .relaxed)
    }

    /// Reads `count` bytes into the room.
    func read(_ count: Int, at offset: Int, _ room: Room) throws -> UnsafeRawPointer {
        if count > room.capacity { room.grow(to: count) }
        var done = 0
        while done < count {
            let step = pread(descriptor, room.memory + done, count - done, off_t(offset + done))
            if step < 0, errno == EINTR { continue }
            guard step > 0 else {
                throw Failure(
                    description: "rows that waited in a file cannot be read back: \(String(cString: strerror(errno)))")
            }
            done += step
        }
        return UnsafeRawPointer(room.memory)
    }
}
