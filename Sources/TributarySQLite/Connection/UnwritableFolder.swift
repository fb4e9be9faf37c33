import TributaryPlatform

/// Reads databases with a write-ahead log in folders that cannot be written.
///
/// SQLite needs a file for the shared memory of such a database, and cannot create it there. Without a log with changes
/// the database file is the whole state, and no program is writing it, so that it can be read as one that never changes.
enum UnwritableFolder {
    /// The URI that opens such a database; nil for all others.
    ///
    /// - Throws: `SQLiteError` if the log has changes, which cannot be read.
    static func uri(of file: String) throws -> String? {
        guard let resolved = realpath(file, nil) else { return nil }
        defer { free(resolved) }
        let path = String(cString: resolved)
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        guard access(folder, W_OK) != 0, hasLog(path) else { return nil }
        let (log, memory) = (size(of: path + "-wal"), size(of: path + "-shm"))
        if log != nil, memory != nil { return nil }
        guard log ?? 0 == 0 else {
            throw SQLiteError(
                .cannotOpen, "its folder cannot be written, and its write-ahead log (-wal) has changes", database: file,
                hint: "copy the database with its -wal file into another folder, and open the copy")
        }
        return "file://\(escaped(path))?immutable=1"
    }

    /// Whether the header of a database says that it has a write-ahead log.
    private static func hasLog(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var versions: [UInt8] = [0, 0]
        return pread(descriptor, &versions, 2, 18) == 2 && versions == [2, 2]
    }

    private static func size(of path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    private static func escaped(_ path: String) -> String {
        path.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
    }
}
