import Foundation
import TributarySQLite

extension StoreError {
    /// Converts an error of SQLite to a `StoreError` if the store can name the cause.
    static func explaining(_ error: SQLiteError, at location: StoreLocation) -> any Error {
        if error.isNotADatabase {
            StoreError(
                .damaged, error.database, "it is not a database, or it is encrypted or damaged",
                hint: "choose another file; this one was not changed")
        } else if error.isCorruption {
            StoreError(
                .damaged, error.database, "it is damaged (\(error.message))",
                hint: "restore it from a backup, or recover readable data with: sqlite3 FILE .recover")
        } else if case .sqlite(let path) = location {
            pathError(path) ?? error
        } else {
            error
        }
    }

    /// The error of a path at which no database can exist.
    private static func pathError(_ path: String) -> StoreError? {
        let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        if type == .typeDirectory { return StoreError(.foreign, path, "it is a folder", hint: "choose a file") }
        let folder = URL(filePath: path).deletingLastPathComponent().path
        guard type == nil, !FileManager.default.fileExists(atPath: folder) else { return nil }
        return StoreError(.missing, path, "there is no folder \(folder)", hint: "create it, or choose another path")
    }
}
