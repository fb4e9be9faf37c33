import TributaryConcurrency
package import TributaryStore
package import TributaryJSON

/// The rejects that a retry has read, by their lines in a ``RetryLines``, until a transaction resolves them.
package final class PendingRejects: Sendable {
    /// The reject of a line.
    package struct Line: Sendable {
        /// The ID of the reject; 0 if it has no row in the store.
        package let id: Int64
        /// The bytes of the record, if they differ from those in the store.
        package let edited: [UInt8]?
    }

    private struct State {
        /// The number of the first line.
        var first = 1
        var lines: ArraySlice<Line> = []
    }

    private let state = Guarded(State())

    /// No rejects yet.
    package init() {}

    /// Adds the reject of the next line; `id` is 0 if it has no row in the store.
    func append(_ id: Int64, edited: [UInt8]?) { state.withLock { $0.lines.append(Line(id: id, edited: edited)) } }

    /// Removes the lines of the next chunk, up to its last one, and returns them with their numbers.
    package func dequeue(through last: Int) -> [(number: Int, line: Line)] {
        state.withLock { state in
            var removed: [(Int, Line)] = []
            while state.first <= last, let line = state.lines.popFirst() {
                removed.append((state.first, line))
                state.first += 1
            }
            return removed
        }
    }

    /// Deletes the rejects whose records were imported, and updates those that were rejected again.
    ///
    /// Call it in the transaction of the import.
    ///
    /// - Parameters:
    ///   - lines: The lines of all records and rejects of a chunk.
    ///   - rejects: The rejects of the chunk.
    ///   - store: The database.
    ///   - makeRow: Makes the row of a reject that has none.
    /// - Throws: Errors of the database.
    package static func resolve(
        _ lines: [(number: Int, line: Line)], _ rejects: [Reject], in store: some ImportStore,
        makeRow: (Reject) -> RejectedRecord
    ) throws {
        let refused = Dictionary(
            rejects.map { ($0.error.position?.line ?? 0, $0) }, uniquingKeysWith: { one, _ in one })
        for (number, line) in lines {
            guard let reject = refused[number] else {
                if line.id > 0 { try store.deleteReject(line.id) }
                continue
            }
            guard line.id > 0 else {
                try store.insert([makeRow(reject)])
                continue
            }
            let (code, reason) = (reject.error.code.rawValue, reject.error.reason)
            try store.updateReject(line.id, code: code, reason: reason, edited: line.edited)
        }
    }
}
