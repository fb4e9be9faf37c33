package import TributaryJSON

/// The outcome of records whose objects were saved.
package struct ObjectOutcome: Sendable {
    package var counts: RecordCounts
    package var rejects: [Reject]
    /// The primary keys of objects that were found or made, if they are wanted.
    package var seenKeys: [Int64]

    /// The outcome of some records.
    package init(counts: RecordCounts = RecordCounts(), rejects: [Reject] = [], seenKeys: [Int64] = []) {
        (self.counts, self.rejects, self.seenKeys) = (counts, rejects, seenKeys)
    }
}
