/// What the rows of a batch are to a table.
package struct RowComparison: Sendable {
    /// For each row of the batch the number of the row that it changes; 0 if it is new, -1 if it writes nothing.
    package internal(set) var keys: [Int64]
    /// How many are new.
    package internal(set) var insertionCount = 0
    /// What becomes of them.
    package var outcome = BulkOutcome()

    /// Nothing is written of `count` rows.
    package init(count: Int) { keys = Array(repeating: -1, count: count) }

    /// The memory that it takes until it is written: the keys, and what puts them in order then.
    package var byteCount: Int { keys.count * 32 }

    /// Forgets the rows that write nothing; what becomes of them stays in the books.
    package mutating func keepWritten() { keys.removeAll { $0 < 0 } }

    /// How many write something.
    package var writeCount: Int { outcome.counts.inserted + outcome.counts.updated }
}
