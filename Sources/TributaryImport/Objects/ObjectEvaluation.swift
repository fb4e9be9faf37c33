package import TributaryStore
package import TributaryJSON

/// The rows of objects for which a setter was called ahead of the thread that writes.
package struct ObjectEvaluation: Sendable {
    /// The rows to write.
    let rows: RowBatch
    let comparison: RowComparison
    let rejects: [Reject]

    /// The rows to write, what became of all records, and the rejects among them.
    package init(rows: RowBatch, comparison: RowComparison, rejects: [Reject]) {
        (self.rows, self.comparison, self.rejects) = (rows, comparison, rejects)
    }
}
