import Foundation
import TributarySQLite

/// The files of a database and those beside it.
package enum StoreFiles {
    /// Whether anything is at a path, a broken link included.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Removes a database, with the log and the journal that SQLite may have left beside it.
    static func remove(_ path: String) {
        for ending in ["-journal", "-wal", "-shm", ""] { unlink(path + ending) }
    }

    /// Removes the log and the journal beside a closed database whose contents they no longer belong to.
    static func removeLogs(of path: String) throws {
        for ending in ["-journal", "-wal", "-shm"] where unlink(path + ending) != 0 && errno != ENOENT {
            throw StoreError(
                .inUse, path + ending, "it cannot be removed: \(String(cString: strerror(errno)))",
                hint: "check the permissions of its folder, then import again")
        }
    }

    /// Makes the entries of a folder durable: files that were created, renamed or removed there.
    static func syncFolder(of path: String) { sync(URL(filePath: path).deletingLastPathComponent().path) }

    /// Makes the bytes of a file or the entries of a folder durable.
    static func sync(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Throws unless the disk of a file has room for `needed` more bytes.
    static func checkSpace(for needed: Int, at path: String) throws {
        var status = statvfs()
        guard statvfs(URL(filePath: path).deletingLastPathComponent().path, &status) == 0 else { return }
        let free = UInt64(status.f_bavail) * UInt64(status.f_frsize)
        guard free < UInt64(max(0, needed)) else { return }
        throw SQLiteError(
            .full, "the disk has \(free >> 20) MiB left, and loading needs \(needed >> 20) MiB more", database: path,
            hint: "free space and import again: it resumes from its last checkpoint")
    }

    /// The file of a database without a name yet.
    package static func unpublished(of path: String) -> String { path + "-new" }

    /// The file at which the database of a name is: an unpublished one, if there is none of that name.
    package static func existing(of path: String) -> String? {
        if exists(path) { return path }
        let file = unpublished(of: path)
        return exists(file) ? file : nil
    }
}
