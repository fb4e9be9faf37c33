import Foundation
import TributarySQLite

extension StoreLocation {
    /// Deletes the database, its journals and its lock; true if the database existed.
    ///
    /// - Throws: `SQLiteError` if another process is writing it, or an error of the file system.
    @discardableResult
    func deleteFiles() throws -> Bool {
        guard case .sqlite(let path) = self else { return false }
        let files = FileManager.default
        let existed = SQLiteStore.existingFile(of: path) != nil
        if existed || files.fileExists(atPath: path + "-wal") {
            // A database must not be deleted while another process is writing it.
            let lock = try WriterLock(database: path)
            try withExtendedLifetime(lock) {
                for ending in ["", "-wal", "-shm", "-journal"] where files.fileExists(atPath: path + ending) {
                    try files.removeItem(atPath: path + ending)
                }
                LoadFiles.remove(SQLiteStore.unpublishedFile(of: path))
                LoadFiles.remove(path + "-load")
            }
        }
        try? files.removeItem(atPath: path + "-writer")
        return existed
    }
}
