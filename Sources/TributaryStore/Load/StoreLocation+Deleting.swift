import Foundation
import TributarySQLite

extension StoreLocation {
    /// Deletes the database, its journals and its lock; true if the database existed.
    ///
    /// In a database that another program made, it drops the tables of this library instead.
    ///
    /// - Throws: `StoreError` if the database has none, `SQLiteError` if another process is writing it, or an error of
    ///   the file system.
    @discardableResult
    package func deleteFiles() throws -> Bool {
        guard case .sqlite(let path) = self else { return false }
        let files = FileManager.default
        let file = StoreFiles.existing(of: path)
        let existed = file != nil
        if existed || files.fileExists(atPath: path + "-wal") {
            // A database must not be deleted while another process is writing it.
            let lock = try WriterLock(database: path)
            try withExtendedLifetime(lock) {
                if let file, try StoreLocation.dropTables(ofGuestIn: file) { return }
                let loads = (try? StoreInspection.read(path) { try LoadRow.all(on: $0) }) ?? []
                // Without the database they would be files of another program.
                for load in loads { StoreFiles.remove(load.file(besides: path)) }
                for ending in ["", "-wal", "-shm", "-journal"] where files.fileExists(atPath: path + ending) {
                    try files.removeItem(atPath: path + ending)
                }
                // A file of that name is the store's only if there is none of its own name, or its metadata says so.
                if let file, file != path { StoreFiles.remove(file) }
            }
        }
        try? files.removeItem(atPath: path + "-writer")
        return existed
    }

    /// Drops the tables of this library in a database that another program made; false if this library made it, or it
    /// cannot be read.
    private static func dropTables(ofGuestIn file: String) throws -> Bool {
        guard let connection = try? Connection(.file(file)),
            let isEmpty = try? !connection.hasRows("SELECT 1 FROM sqlite_master LIMIT 1"), !isEmpty
        else { return false }
        let identity: StoreIdentity?
        do {
            identity = try StoreIdentity(of: connection)
        } catch let error as StoreError where error.code == .damaged {
            return false
        }
        guard let identity else {
            throw StoreError(
                .foreign, file, "it is a database of another program, without tables of this library",
                hint: "choose another file; it was not changed")
        }
        guard identity.isForeignDatabase else { return false }
        for load in try LoadRow.all(on: connection) { StoreFiles.remove(load.file(besides: file)) }
        try Schema.dropAll(on: connection)
        return true
    }
}
