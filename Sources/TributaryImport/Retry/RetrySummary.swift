public import TributaryStore

/// The results of a retry.
public struct RetrySummary: Sendable, Hashable {
    /// Records that were retried.
    public package(set) var read = 0
    /// The number of records by outcome.
    public package(set) var counts = RecordCounts()
    /// Rejects that were not retried: only the first bytes of their record are kept, or their line is not JSON.
    public package(set) var unusable = 0
    /// Lines whose ID no reject of the store has: they were imported since, or forgotten.
    public package(set) var gone = 0
    /// Lines whose ID belongs to another reject: they come from another store.
    public package(set) var foreign = 0
    /// The duration in seconds.
    public package(set) var seconds = 0.0
    /// Whether it was stopped before the end.
    public package(set) var isStopped = false

    /// A summary without records.
    package init() {}

    /// Records that were not rejected again, and whose rejects are deleted.
    public var imported: Int { read - counts.rejected }
    /// Rejects that were read and not imported.
    public var left: Int { counts.rejected + unusable }
}
