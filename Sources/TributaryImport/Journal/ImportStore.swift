package import TributaryStore
package import TributaryJSON
package import TributarySQLite

/// What a database keeps of its imports: the runs and the rejected records.
///
/// No function begins a transaction: a row belongs to the transaction of the records that it describes.
package protocol ImportStore {
    /// All runs, the oldest first, with their counts so far.
    func runs() throws -> [JournalEntry]
    /// The run with a number; nil if there is none.
    func run(_ number: Int) throws -> JournalEntry?
    /// The runs with an identity, the oldest first.
    func runs(of identity: String) throws -> [JournalEntry]
    /// The latest run with an identity; nil if there is none.
    func latestRun(of identity: String) throws -> JournalEntry?
    /// Whether no later run has the identity of a run.
    func isLatest(_ entry: JournalEntry) throws -> Bool
    /// The processes that work on a run, as far as the database knows them.
    func workers(on entry: JournalEntry) throws -> [String]

    /// Inserts rejects with the next keys.
    func insert(_ rejects: [RejectedRecord]) throws
    /// The next rejects after a key, of one run or of all: at most `limit`.
    func rejects(after id: Int64, run: Int?, limit: Int) throws -> [RejectedRecord]
    /// The reject with a key; nil if it was deleted.
    func reject(_ id: Int64) throws -> RejectedRecord?
    /// The number of rejects, of one run or of all.
    func rejectCount(run: Int?) throws -> Int
    /// The number of rejects of a run of which only the first bytes are kept.
    func truncatedRejectCount(run: Int) throws -> Int
    /// The number of rejects of each run that has some.
    func rejectCounts() throws -> [Int: Int]
    /// Updates the error of a record that was rejected again, and its bytes if they were edited.
    func updateReject(_ id: Int64, code: String, reason: String, edited raw: [UInt8]?) throws
    /// Deletes a reject.
    func deleteReject(_ id: Int64) throws
    /// Deletes the rejects of a run.
    func deleteRejects(run: Int) throws

    /// The number of references to objects that are not there yet, by the names of relations.
    func waitingRelations() throws -> [String: Int]
}

extension ImportStore {
    package func isLatest(_ entry: JournalEntry) throws -> Bool {
        try latestRun(of: entry.identity.hash)?.run == entry.run
    }

    /// Calls `body` with the rejects of one run or of all, many at a time.
    func forEachRejects(run: Int?, _ body: ([RejectedRecord]) throws -> Void) throws {
        var last: Int64 = 0
        while case let page = try rejects(after: last, run: run, limit: 1000), let end = page.last {
            last = end.id
            try body(page)
        }
    }

    /// Calls `body` with the rejects as lines of JSON, many lines at a time.
    func forEachRejectLines(run: Int?, _ body: ([UInt8]) throws -> Void) throws {
        try forEachRejects(run: run) { page in
            var bytes: [UInt8] = []
            for reject in page { reject.appendJSONLine(to: &bytes) }
            try body(bytes)
        }
    }

    /// Deletes the rejects of the runs of an import whose sources are unchanged, except those from the number of a new run on:
    /// that one keeps them again.
    package func deleteRejects(
        ofEarlier identity: ImportIdentity, before run: Int = .max, _ sources: [any ByteSource]
    ) throws {
        // The row of an unfinished run may not have its counts.
        for entry in try runs(of: identity.hash)
        where entry.run < run && (entry.summary.rejected > 0 || entry.state.isUnfinished) {
            if try entry.matches(sources) { try deleteRejects(run: entry.run) }
        }
    }

    /// The number of references to objects that are not there yet, by relationship, as `Book.author`.
    package func waitingReferences() throws -> [String: Int] {
        try waitingRelations().reduce(into: [:]) { counts, relation in
            let name = RelationName(relation.key).map { "\($0.entity).\($0.relationship)" } ?? relation.key
            counts[name, default: 0] += relation.value
        }
    }
}

extension Connection: ImportStore {
    package func runs() throws -> [JournalEntry] { try JournalEntry.read(RunTable.all(on: self), self) }

    /// The runs with numbers below or above one, those next to it, the newest first: at most `limit`.
    package func runs(below: Int? = nil, above: Int? = nil, limit: Int) throws -> [JournalEntry] {
        try JournalEntry.read(RunTable.page(below: below, above: above, limit: limit, on: self), self)
    }

    package func run(_ number: Int) throws -> JournalEntry? {
        try JournalEntry.read([RunTable.row(number, on: self)].compactMap(\.self), self).first
    }

    package func runs(of identity: String) throws -> [JournalEntry] {
        try JournalEntry.read(RunTable.all(with: identity, on: self), self)
    }

    package func latestRun(of identity: String) throws -> JournalEntry? {
        try JournalEntry.read([RunTable.latest(identity, on: self)].compactMap(\.self), self).first
    }

    package func isLatest(_ entry: JournalEntry) throws -> Bool {
        // A migration may have renamed what the stored identity names.
        guard let row = try RunTable.row(entry.run, on: self) else { return false }
        return try RunTable.latest(row.identity, on: self)?.run == row.run
    }

    package func workers(on entry: JournalEntry) -> [String] { [] }

    package func waitingRelations() throws -> [String: Int] { try WaitingTable.counts(on: self) }
}
