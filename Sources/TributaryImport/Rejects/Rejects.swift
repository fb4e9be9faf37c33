import TributaryStore

/// The rejected records that a database keeps of its imports, except those that were imported since.
///
///     for reject in try manager.rejects.page() { print(reject.file ?? "", reject.line ?? 0, reject.reason) }
///     try manager.rejects.write(to: "bad.ndjson")
public struct Rejects: Sendable {
    let database: any ImportDatabase

    /// The number of rejects, of one run or of all.
    ///
    /// - Throws: Errors of reading the database.
    public func count(run: Int? = nil) throws -> Int { try database.reading { try $0.rejectCount(run: run) } }

    /// The number of rejects of a run of which only the first bytes are kept.
    package func truncatedCount(run: Int) throws -> Int {
        try database.reading { try $0.truncatedRejectCount(run: run) }
    }

    /// The next rejects after an ID, in the order in which they were rejected.
    ///
    /// - Throws: Errors of reading the database.
    public func page(after id: Int64 = 0, run: Int? = nil, limit: Int = 1000) throws -> [RejectedRecord] {
        try database.reading { try $0.rejects(after: id, run: run, limit: limit) }
    }

    /// Writes the rejects to a file, one JSON object a line, so that they can be edited and retried.
    ///
    /// - Throws: `ImportError` if the file cannot be written or holds something else, such as edited rejects; errors of
    ///   reading the database.
    public func write(to path: String, run: Int? = nil) throws {
        try database.reading { store in
            try RejectsFile(path: path, besides: database.files, in: store).export(run: run, from: store)
        }
    }

    /// Calls `body` with the rejects as lines of JSON, many lines at a time.
    ///
    /// - Throws: Errors of reading the database, and of `body`.
    public func forEachLines(run: Int? = nil, _ body: ([UInt8]) throws -> Void) throws {
        try database.reading { try $0.forEachRejectLines(run: run, body) }
    }
}
