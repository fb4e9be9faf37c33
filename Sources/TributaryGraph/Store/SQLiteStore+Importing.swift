import CTributaryThread
import TributaryConcurrency
package import TributarySQLite

extension SQLiteStore {
    /// From how many bytes on the log of an import is copied: some hundred milliseconds of work, which what was read
    /// ahead lasts for.
    private static let logBytes: Int64 = 24_000_000

    /// The runs of imports that are under way.
    package var livingRuns: Set<Int> { imports.withLock { $0.runs } }

    /// Notes that a run is under way.
    package func begin(run: Int) { imports.withLock { _ = $0.runs.insert(run) } }

    /// Notes that it is not any more.
    package func end(run: Int) { imports.withLock { _ = $0.runs.remove(run) } }

    /// Runs `body` while the connection that writes has so much memory for pages, and copies its log as suits an import.
    ///
    /// - Throws: what `body` throws.
    package func withImportSettings<Result>(
        cacheKiB: Int, _ session: Connection? = nil, _ body: () throws -> Result
    ) throws -> Result {
        func locked(_ body: (Connection) throws -> Void) throws {
            if let session { try body(session) } else { try importing { connection in try body(connection) } }
        }
        _ = SQLiteStore.returnsMemory
        try locked { connection in
            let earlier = try connection.value(of: "PRAGMA cache_size")
            try connection.execute(SQLFragment(trusted: "PRAGMA cache_size = -\(cacheKiB)"))
            if case .integer(let size)? = try connection.value(of: "PRAGMA page_size"), size > 0 {
                connection.letLogGrow(to: Int(SQLiteStore.logBytes / size))
            }
            imports.withLock { state in
                // Where several imports are under way, the last one puts back what the first one has found.
                if state.count == 0 { state.earlier = earlier }
                state.count += 1
            }
        }
        defer {
            try? locked { connection in
                let (isLast, earlier) = imports.withLock { state in
                    state.count -= 1
                    return (state.count == 0, state.earlier)
                }
                guard isLast else { return }
                connection.letLogGrow(to: nil)
                if session == nil, connection.isLogDue { connection.copyLog() }
                if case .integer(let pages)? = earlier {
                    try connection.execute(SQLFragment(trusted: "PRAGMA cache_size = \(pages)"))
                }
            }
        }
        return try body()
    }

    /// Whoever promises how much memory he takes must give back what he frees; asked for once in a process.
    private static let returnsMemory: Void = tributary_return_memory()

    /// Forgets statements that were made for tables that are no longer there.
    package func forgetStatements() { try? importing { connection in connection.clearStatements() } }
}
