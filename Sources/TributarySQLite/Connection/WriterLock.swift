import TributaryPlatform

/// Ensures that only one process at a time writes to a database.
///
/// SQLite would let two processes take turns, but two connections that write and checkpoint at the same time can damage
/// a database in WAL mode (all releases before 3.51.3). The lock is on a file beside the database, never on the
/// database itself, because closing any descriptor of that file would drop SQLite's own locks.
package final class WriterLock {
    private let descriptor: Int32
    private let file: String

    /// Acquires the lock for the database at `path`.
    ///
    /// - Throws: `SQLiteError` with the code `busy` and the number of the process that holds it.
    package init(database path: String) throws {
        file = path + "-writer"
        var attempts = 0
        while true {
            let opened = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
            guard opened >= 0 else {
                throw SQLiteError(
                    .cannotOpen, "the file \(file) cannot be opened: \(String(cString: strerror(errno)))",
                    database: path, hint: "check the permissions of its folder")
            }
            let isLocked = flock(opened, LOCK_EX | LOCK_NB) == 0
            // The previous holder may have deleted the file after it was opened here, so others would lock a new file;
            // a process that is just being started by this one may hold the lock on the old file a moment longer.
            guard WriterLock.isSameFile(opened, at: file) else {
                close(opened)
                continue
            }
            guard isLocked else {
                attempts += 1
                // `holder(database:)` of another process may have it for a moment.
                if attempts < 3 {
                    close(opened)
                    usleep(2000)
                    continue
                }
                let holder = WriterLock.holder(opened)
                close(opened)
                throw SQLiteError(
                    .busy, "it is being written by \(holder.map { "process \($0)" } ?? "another process")",
                    database: path, hint: "wait until that process ends, or stop it, then try again")
            }
            descriptor = opened
            break
        }
        let text = "\(getpid())\n"
        // The process number is only for messages, so a failure here does not matter.
        _ = ftruncate(descriptor, 0)
        _ = text.withCString { pwrite(descriptor, $0, strlen($0), 0) }
    }

    deinit {
        // The file at the path may be another one only if a user replaced it.
        if WriterLock.isSameFile(descriptor, at: file) { unlink(file) }
        close(descriptor)
    }

    /// Whether the open file is the one at `path`.
    private static func isSameFile(_ descriptor: Int32, at path: String) -> Bool {
        var (opened, named) = (stat(), stat())
        return fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0 && opened.st_dev == named.st_dev
            && opened.st_ino == named.st_ino
    }

    /// The number of the process that holds the lock for the database at `path`; nil if none does.
    package static func holder(database path: String) -> Int? {
        let opened = open(path + "-writer", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard opened >= 0 else { return nil }
        // Another process may have the number of one that was killed.
        defer { close(opened) }
        guard flock(opened, LOCK_SH | LOCK_NB) != 0 else { return nil }
        guard let process = holder(opened), kill(pid_t(truncatingIfNeeded: process), 0) == 0 || errno == EPERM else {
            return nil
        }
        return process
    }

    /// When the last holder of the lock for the database at `path` acquired it, in seconds since 1970.
    package static func start(database path: String) -> Double? {
        var status = stat()
        guard lstat(path + "-writer", &status) == 0 else { return nil }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func holder(_ descriptor: Int32) -> Int? {
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        return Int(String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }
}
