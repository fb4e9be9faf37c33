package import TributaryStore

/// A database with a journal of imports, which is opened or borrowed for each question.
package protocol ImportDatabase: Sendable {
    /// Files of the database, which no other file may replace.
    var files: [(name: String, path: String)] { get }

    /// Calls `body` with what the database keeps of imports, all of one moment if the database can.
    func reading<Result>(_ body: (any ImportStore) throws -> Result) throws -> Result
}

extension SQLiteStore: ImportDatabase {
    package var files: [(name: String, path: String)] { FilePath.database(name) }

    package func reading<Result>(_ body: (any ImportStore) throws -> Result) throws -> Result {
        try read { try body($0) }
    }
}
