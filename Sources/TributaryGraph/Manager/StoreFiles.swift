import Foundation
import TributarySQLite

/// The files of a store: the database, and what lies beside it.
struct StoreFiles {
    private let path: String?

    init(_ location: StoreLocation) {
        path = if case .sqlite(let path) = location { path } else { nil }
    }

    private static let endings = ["", "-wal", "-shm", "-journal"]

    /// Deletes them all; true if there was a database.
    ///
    /// - Throws: `SQLiteError` if another process writes it, or what the file system says.
    @discardableResult
    func delete() throws -> Bool {
        guard let path else { return false }
        let files = FileManager.default
        let existed = files.fileExists(atPath: path)
        if existed || files.fileExists(atPath: path + "-wal") {
            // Whoever writes it now must not find that it is gone.
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
