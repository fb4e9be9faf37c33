import Foundation
import TributarySQLite

/// The files of a store: the database, its journals and its lock.
struct StoreFiles {
    private let path: String?

    init(_ location: StoreLocation) {
        path = if case .sqlite(let path) = location { path } else { nil }
    }

    private static let endings = ["", "-wal", "-shm", "-journal"]

    /// Deletes all files; true if the database existed.
    ///
    /// - Throws: `SQLiteError` if another process is writing it, or an error of the file system.
    @discardableResult
    func delete() throws -> Bool {
        guard let path else { return false }
        let files = FileManager.default
        let existed = files.fileExists(atPath: path)
        if existed || files.fileExists(atPath: path + "-wal") {
            // A database must not be deleted while another process is writing it.
            let lock = try WriterLock(database: path)
            try withExtendedLifetime(lock) {
                for ending in Self.endings where files.fileExists(atPath: path + ending) {
                    try files.removeItem(atPath: path + ending)
                }
            }
        }
        try? files.removeItem(atPath: path + "-writer")
        return existed
    }
}
