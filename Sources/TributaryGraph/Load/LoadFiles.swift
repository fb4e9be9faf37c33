import Foundation
package import TributarySQLite

/// The files of unfinished loads beside a database.
package enum LoadFiles {
    /// Whether anything is at a path, a broken link included.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Removes the file of a load, and the journal that SQLite may have left beside it.
    static func remove(_ path: String) {
        for ending in ["-journal", "-wal", "-shm", ""] { unlink(path + ending) }
    }

    /// Removes the log and the journal beside a closed database whose contents they no longer belong to.
    ///
    /// - Throws: `StoreError` if one of them cannot be removed.
    static func removeLogs(of path: String) throws {
        for ending in ["-journal", "-wal", "-shm"] where unlink(path + ending) != 0 && errno != ENOENT {
            throw StoreError(
                .inUse, path + ending, "it cannot be removed: \(String(cString: strerror(errno)))",
                hint: "check the permissions of its folder, then import again")
        }
    }

    /// Removes the loads that `isUnwanted` selects, with their files.
    ///
    /// The files go first: after a crash in between, a row without a file is removed in the same way.
    ///
    /// - Throws: `SQLiteError`.
    package static func remove(
        besides path: String, on connection: Connection, where isUnwanted: (LoadRow) -> Bool
    ) throws {
        let rows = try LoadRow.all(on: connection).filter(isUnwanted)
        guard !rows.isEmpty else { return }
        for row in rows { remove(row.file(besides: path)) }
        syncFolder(of: path)
        for row in rows {
            // No table has got its rows.
            if row.isPending { try MarkTable.remove(run: row.run, entity: row.table, on: connection) }
            try row.delete(on: connection)
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
            hint: "free space and import again: it goes on where it stopped")
    }
}
