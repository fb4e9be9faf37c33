import TributarySQLite
package import TributaryStore

/// A database as a page reads it: opened for one request, in one state, never written, and only for a time.
package final class BrowsedDatabase {
    /// The path.
    package let path: String
    /// The connection; a statement that runs when the time is over ends with an error.
    package let database: QueryableDatabase
    private let end: ContinuousClock.Instant
    /// The bytes of a text or blob that are read: several pages are made at once.
    private static let longestValue = 256 << 20

    /// Whether the time is over: then an error of the database means that the page takes too long.
    package var isOutOfTime: Bool { ContinuousClock.now > end }

    /// Opens a database for as long as `limit`, or until `isStopped` is true: that of the request.
    ///
    /// - Throws: `StoreError` if it cannot be read, or no longer exists.
    package init(
        path: String, limit: Duration, until isStopped: @escaping @Sendable () -> Bool = { false }
    ) throws {
        let end = ContinuousClock.now + limit
        let database: QueryableDatabase?
        do {
            database = try QueryableDatabase(path, rollsBack: false, longestValue: BrowsedDatabase.longestValue)
        } catch let error as SQLiteError where error.code == .unfinishedWriting {
            throw StoreError(
                .inUse, path, "a program has ended in the middle of a change, and a page changes no database",
                hint: "undo the unfinished change with 'tributary tables', then load this page again")
        }
        guard let database else {
            throw StoreError(
                .missing, path, "the database does not exist", hint: "check whether it was moved or deleted")
        }
        database.stop { isStopped() || ContinuousClock.now > end }
        (self.path, self.database, self.end) = (path, database, end)
    }
}
