/// The changes that a controller has not applied to its list yet.
struct ResultsFollowing {
    /// Changed objects, and whether their change is an update even if they keep their place.
    var objects: [ManagedObject: Bool] = [:]
    /// Keys of rows that were saved elsewhere.
    var rows: ArraySlice<Int64> = []
    /// The number of merges that have begun and not ended.
    var mergeDepth = 0
    /// Whether a change is being reported, during which others wait.
    var isNotifying = false
    /// Whether a block that applies more rows is in the queue of the context.
    var isScheduled = false

    /// Whether all results are being fetched on another thread.
    var isReloading = false
    /// Whether there were changes since, so that they must be fetched again.
    var needsReload = false
    /// The rows changed since, whose state the fetched results may lack.
    var changedRows: Set<Int64> = []
    /// Incremented when the results being fetched are no longer wanted.
    private(set) var generation = 0

    mutating func takeRows(_ limit: Int) -> ArraySlice<Int64> {
        defer { rows = rows.count > limit ? rows.dropFirst(limit) : [] }
        return rows.prefix(limit)
    }

    mutating func reset() {
        let old = self
        self = ResultsFollowing()
        (isNotifying, isScheduled, generation) = (old.isNotifying, old.isScheduled, old.generation + 1)
    }
}
