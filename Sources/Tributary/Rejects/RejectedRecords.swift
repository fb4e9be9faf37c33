public import TributaryGraph
import TributarySQLite

/// The records that imports into the stores of a manager have rejected and that were not imported since.
///
///     for reject in try manager.rejects.page() { print(reject.file ?? "", reject.line ?? 0, reject.reason) }
///     try manager.rejects.write(to: "bad.ndjson")
public struct RejectedRecords: Sendable {
    private let store: SQLiteStore

    init(_ store: SQLiteStore) { self.store = store }

    /// The number of rejects, of one run or of all.
    ///
    /// - Throws: what reading the store throws.
    public func count(run: Int? = nil) throws -> Int { try store.read { try RejectTable.count(run: run, on: $0) } }

    /// The next rejects after an ID, in the order in which they were rejected.
    ///
    /// - Throws: what reading the store throws.
    public func page(after id: Int64 = 0, run: Int? = nil, limit: Int = 1000) throws -> [RejectedRecord] {
        try store.read { try RejectTable.page(after: id, run: run, limit: limit, on: $0) }
    }

    /// Writes the rejects to a file, one JSON object a line, so that they can be edited and retried.
    ///
    /// - Throws: `ImportError` if the file cannot be written or holds something else, such as edited rejects.
    public func write(to path: String, run: Int? = nil) throws {
        try store.read { connection in
            let file = try RejectsFile(path: path, besides: FilePath.database(store.name), on: connection)
            try file.export(run: run, on: connection)
        }
    }

    /// Calls `body` with the lines of a file of rejects, some at a time.
    ///
    /// - Throws: what reading the store and `body` throw.
    public func forEachLines(run: Int? = nil, _ body: ([UInt8]) throws -> Void) throws {
        try store.read { try RejectsFile.forEachPage(run: run, on: $0, body) }
    }
}

extension ContextManager {
    /// The records that imports have rejected.
    public var rejects: RejectedRecords { RejectedRecords(importStore) }

    /// The journal of imports.
    public var imports: ImportJournal { ImportJournal(importStore, model) }

    /// The store that keeps what imports write besides objects.
    var importStore: SQLiteStore {
        guard let store = stores.stores.first else { fatalError("internal error: the manager has no store") }
        return store
    }
}
