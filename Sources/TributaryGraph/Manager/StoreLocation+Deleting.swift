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
        let file = SQLiteStore.existingFile(of: path)
        let existed = file != nil
        if existed || files.fileExists(atPath: path + "-wal") {
            // A database must not be deleted while another process is writing it.
            let lock = try WriterLock(database: path)
            try withExtendedLifetime(lock) {
                let loads = (try? StoreInspection.read(path) { try LoadRow.all(on: $0) }) ?? []
                for ending in ["", "-wal", "-shm", "-journal"] where files.fileExists(atPath: path + ending) {
                    try files.removeItem(atPath: path + ending)
                }
                // A file of that name is the store's only if there is none of its own name, or its metadata says so.
                if let file, file != path { LoadFiles.remove(file) }
                for load in loads { LoadFiles.remove(load.file(besides: path)) }
            }
        }
        try? files.removeItem(atPath: path + "-writer")
        return existed
    }
}
