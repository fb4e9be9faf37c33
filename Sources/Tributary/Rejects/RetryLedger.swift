import TributaryConcurrency
import TributaryGraph
import TributaryJSON
import TributarySQLite

/// Which reject stands on which line of a ``RetryLines``, until the group is written in which the line was read.
final class RetryLedger: Sendable {
    private struct Line {
        /// 0 if the reject is in no store.
        let id: Int64
        /// Its bytes, if those of the store are others.
        let edited: [UInt8]?
    }

    private struct State {
        /// The number of the first line.
        var first = 1
        var lines: ArraySlice<Line> = []
    }

    private let state = Guarded(State())
    /// How many lines were imported.
    private let count = Guarded(0)

    var importedCount: Int { count.withLock { $0 } }

    /// The next line stands for the reject of an id, 0 if it is in no store.
    func append(_ id: Int64, edited: [UInt8]?) { state.withLock { $0.lines.append(Line(id: id, edited: edited)) } }

    /// The lines of a chunk with their numbers; chunks come in their order.
    private func take(_ lines: [Int]) -> [(number: Int, line: Line)] {
        guard let last = lines.max() else { return [] }
        return state.withLock { state in
            var taken: [(Int, Line)] = []
            while state.first <= last, let line = state.lines.popFirst() {
                taken.append((state.first, line))
                state.first += 1
            }
            return taken
        }
    }

    /// Deletes the rejects whose records were imported, and updates those that were rejected again; in the transaction in
    /// which that is done.
    ///
    /// - Parameters:
    ///   - lines: Those of all records and rejects of a chunk.
    ///   - rejects: What was rejected of it.
    ///   - connection: The one that writes.
    ///   - insert: Adds a reject that has no row.
    /// - Throws: `SQLiteError`.
    func settle(
        _ lines: [Int], _ rejects: [Reject], on connection: Connection, insert: (Reject) throws -> Void
    ) throws {
        let refused = Dictionary(
            rejects.map { ($0.error.position?.line ?? 0, $0) }, uniquingKeysWith: { one, _ in one })
        for (number, line) in take(lines) {
            guard let reject = refused[number] else {
                if line.id > 0 { try RejectTable.delete(line.id, on: connection) }
                count.withLock { $0 += 1 }
                continue
            }
            guard line.id > 0 else {
                try insert(reject)
                continue
            }
            let (code, reason) = (reject.error.code.rawValue, reject.error.reason)
            try RejectTable.update(line.id, code: code, reason: reason, edited: line.edited, on: connection)
        }
    }
}
