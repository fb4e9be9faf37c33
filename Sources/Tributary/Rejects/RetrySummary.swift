public import TributaryGraph

/// What has become of rejected records that were imported again.
public struct RetrySummary: Sendable, Hashable {
    /// Records that were tried.
    public internal(set) var read = 0
    /// How many of them have ended in which way.
    public internal(set) var counts = RecordCounts()
    /// Rejects that were not tried: only the first bytes of their record are kept, or their line is no JSON.
    public internal(set) var unusable = 0
    /// Lines whose number no reject of the store has: they were imported since, or forgotten.
    public internal(set) var gone = 0
    /// Lines whose number belongs to another reject: they come from another store.
    public internal(set) var foreign = 0
    /// How long it took.
    public internal(set) var seconds = 0.0
    /// Whether it was stopped before the end.
    public internal(set) var isStopped = false

    /// Records that are imported now, and whose rejects are gone.
    public var imported: Int { read - counts.rejected }
    /// Rejects that are left of those that were read.
    public var left: Int { counts.rejected + unusable }
}
