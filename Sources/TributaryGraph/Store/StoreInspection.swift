#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

package import TributarySQLite

/// Looks into a database file without its model, and changes nothing but what a killed writer has left half done.
package enum StoreInspection {
    /// Calls `body` with a connection that reads a database of ours.
    ///
    /// - Returns: nil if there is no file or it is empty.
    /// - Throws: `StoreError` if it is none of ours, `SQLiteError`, or what `body` throws.
    package static func read<Result>(_ path: String, _ body: (Connection) throws -> Result) throws -> Result? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            do {
                return try read(path, isReadOnly: true, body)
            } catch let error as SQLiteError where error.code == .unfinishedWriting {
                // Without a log, nobody can read before somebody who may write has undone what was begun.
                return try read(path, isReadOnly: false, body)
            }
        } catch let error as SQLiteError {
            throw SQLiteStore.explain(error, .sqlite(path))
        }
    }

    private static func read<Result>(
        _ path: String, isReadOnly: Bool, _ body: (Connection) throws -> Result
    ) throws -> Result? {
        var options = Connection.Options()
        options.isReadOnly = isReadOnly
        let connection = try Connection(.file(path), options: options)
        return try connection.snapshot {
            try StoreIdentity(of: connection) == nil ? nil : try body(connection)
        }
    }
}
