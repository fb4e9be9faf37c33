package import TributaryStore
package import TributaryJSON
package import TributarySQLite

/// A chunk of records that is ready to be written.
package struct PreparedChunk: Sendable {
    /// The records of one route.
    package struct Part: Sendable {
        /// The index of the route.
        package let route: Int
        /// The number of primary keys that its records use, rejected ones included.
        let numberCount: Int
        /// The ordinal of its first record among the records of the chunk that share its table.
        let firstOrdinal: Int
        /// The rows, after a comparison only those that write something; nil until a setter has been called.
        package var rows: RowBatch?
        /// What became of values that inferred columns could not store as they are.
        let inference: InferenceReport
        /// What became of members that the route's mapping does not name.
        package let mapping: MappingReport
        /// The same of a route with hooks, by the names of the entities of its records and their nested objects.
        let hookedMappings: [String: MappingReport]
        /// For each path of the route's mapping whether a record had a value there; empty if it has no mapping.
        package let matchedPaths: [Bool]
        /// The records of a route with a setter, until it has been called; those that are deferred because their keys are
        /// in an uncommitted chunk stay.
        private(set) var records: [Record]
        /// The keys of these records, each read once; nil if they are not looked up ahead.
        private(set) var keys: RowBatch?
        /// For each record its ordinal among the records of the chunk that share its table.
        private(set) var ordinals: [Int]
        /// The comparison of the rows with the table; nil until it is made.
        var comparison: RowComparison?
        /// The rows that were not compared because their keys are in an uncommitted chunk.
        var deferredRows: RowBatch?
        /// Whether the setter of the route has been called for all but the deferred records.
        private(set) var isEvaluated = false

        /// Removes the records that are not deferred, and returns them: the setter is called for them.
        mutating func removeRecords(deferring isDeferred: [Bool]) -> KeyedRecords {
            isEvaluated = true
            guard let keys else { fatalError("internal error: records without keys are evaluated ahead") }
            let all = KeyedRecords(records: records, keys: keys, ordinals: ordinals)
            guard isDeferred.contains(true) else {
                (records, self.keys, ordinals) = ([], nil, [])
                return all
            }
            let rest = all.subset { isDeferred[$0] }
            (records, self.keys, ordinals) = (rest.records, rest.keys, rest.ordinals)
            return all.subset { !isDeferred[$0] }
        }
    }

    /// A reject, and its route.
    package struct RouteReject: Sendable {
        package let reject: Reject
        /// The index of the route; nil if it is unknown.
        package let route: Int?
        /// The key of its record, if that is wanted and can be read.
        package var key: [SQLValue]?
        /// Whether the key of its record could not be read.
        package var isUnknown = false
    }

    /// The records, as long as they may be needed again.
    package private(set) var chunk: RecordChunk?
    /// The number of records.
    package let recordCount: Int
    /// The number of records that no route takes.
    package let skipped: Int
    /// The number of parts that could not be read as records.
    package let unreadable: Int
    /// The rejects so far, in feed order.
    package private(set) var rejects: [RouteReject]
    package private(set) var parts: [Part]
    /// The rows of all routes with those of nested objects; nil if no route has relations.
    package var related: RelatedChunk?
    /// In a sync the keys of the records that the filter of their route leaves out, which it has.
    var leftOut: [(route: Int, keys: RowBatch)] = []
    /// For each table the number of primary keys that its records use.
    let numbers: [Int]
    /// Where reading resumes after it.
    package let checkpoint: Checkpoint
    /// Whether its first reject ends the import: then nothing of it and of later chunks may be written.
    package private(set) var endsImport: Bool
    /// Its number in the feed, from 1; 0 if the thread that writes calls the setters and compares.
    private(set) var number = 0
    /// The number of its keys that a comparer remembers until it is committed.
    private(set) var rememberedKeys = 0

    /// The last line that was read, if the sources consist of lines.
    package var lastLine: Int {
        // The position after the last record is at the beginning of the next line, unless the source ends without one.
        let isAtLineStart = checkpoint.byte == checkpoint.lineStart
        let read = recordCount > 0 ? checkpoint.line - (isAtLineStart ? 1 : 0) : 0
        return rejects.reduce(read) { max($0, $1.reject.error.position?.line ?? 0) }
    }

    /// Its size in memory, in bytes.
    package var byteCount: Int {
        parts.reduce(
            (chunk?.byteCount ?? 0) + (related?.byteCount ?? 0) + rememberedKeys * UncommittedKeys.bytesOfKey
                + leftOut.reduce(0) { $0 + $1.keys.byteCount }
        ) { sum, part in
            sum + (part.rows?.byteCount ?? 0) + (part.keys?.byteCount ?? 0) + (part.deferredRows?.byteCount ?? 0)
                + (part.comparison?.byteCount ?? 0)
        }
    }

    /// Adds the results of a comparer, which remembers `keys` of its keys until it is committed.
    mutating func add(
        number: Int, parts: [Part], rejects newRejects: [RouteReject], rememberedKeys keys: Int, stopsAtReject: Bool
    ) {
        self.number = number
        self.parts = parts
        rememberedKeys = keys
        // A deferred record needs its whole chunk.
        if parts.allSatisfy({ $0.isEvaluated && $0.records.isEmpty }) { chunk = nil }
        // If the first reject ends the import, it is the last one here.
        let added = newRejects.sorted { $0.reject.offset < $1.reject.offset }
        rejects += stopsAtReject ? Array(added.prefix(1)) : added
        if stopsAtReject, !newRejects.isEmpty { endsImport = true }
    }
}
