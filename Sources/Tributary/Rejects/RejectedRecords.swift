public import TributaryGraph
package import TributarySQLite

/// The rejected records of imports into the stores of a manager, except those that were imported since.
///
///     for reject in try manager.rejects.page() { print(reject.file ?? "", reject.line ?? 0, reject.reason) }
///     try manager.rejects.write(to: "bad.ndjson")
public struct RejectedRecords: Sendable {
    private let store: SQLiteStore

    init(_ store: SQLiteStore) { self.store = store }

    /// The number of rejects, of one run or of all.
    ///
    /// - Throws: `StoreError` or `SQLiteError` if the store cannot be read.
    public func count(run: Int? = nil) throws -> Int { try store.read { try RejectTable.count(run: run, on: $0) } }

    /// The next rejects after an ID, in the order in which they were rejected.
    ///
    /// - Throws: `StoreError` or `SQLiteError` if the store cannot be read.
    public func page(after id: Int64 = 0, run: Int? = nil, limit: Int = 1000) throws -> [RejectedRecord] {
        try store.read { try RejectTable.page(after: id, run: run, limit: limit, on: $0) }
    }

    /// Writes the rejects to a file, one JSON object a line, so that they can be edited and retried.
    ///
    /// - Throws: `ImportError` if the file cannot be written or holds something else, such as edited rejects.
    public func write(to path: String, run: Int? = nil) throws {
        try store.read { try RejectedRecords.write(to: path, run: run, from: store.name, on: $0) }
    }

    /// Writes the rejects of a database, which is not opened for writing.
    package static func write(to path: String, run: Int?, from database: String, on connection: Connection) throws {
        let file = try RejectsFile(path: path, besides: FilePath.database(database), on: connection)
        try file.export(run: run, on: connection)
    }

    /// Calls `body` with the rejects of a database as lines of JSON, many lines at a time.
    package static func forEachLines(
        run: Int?, on connection: Connection, _ body: ([UInt8]) throws -> Void
    ) throws {
        try RejectsFile.forEachPage(run: run, on: connection, body)
    }

    /// Calls `body` with the rejects as lines of JSON, many lines at a time.
    ///
    /// - Throws: `StoreError` or `SQLiteError` if the store cannot be read; errors of `body`.
    public func forEachLines(run: Int? = nil, _ body: ([UInt8]) throws -> Void) throws {
        try store.read { try RejectsFile.forEachPage(run: run, on: $0, body) }
    }
}

extension ContextManager {
    /// The records that imports have rejected.
    public var rejects: RejectedRecords { RejectedRecords(importStore) }

    /// The journal of imports.
    public var imports: ImportJournal { ImportJournal(importStore, of: stores) }

    /// The store with the journal and the rejects of imports.
    var importStore: SQLiteStore {
        guard let store = stores.stores.first else { fatalError("internal error: the manager has no store") }
        return store
    }
}
