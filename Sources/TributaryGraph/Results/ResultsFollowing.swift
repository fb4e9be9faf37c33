/// The changes that a controller has not applied to its list yet.
struct ResultsFollowing {
    /// Changed objects, and whether their change is an update even if they keep their place.
    var objects: [ManagedObject: Bool] = [:]
    /// Keys of rows that were saved elsewhere, of which the first `nextRow` were applied.
    var rows: [Int64] = []
    private var nextRow = 0
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

    var rowCount: Int { rows.count - nextRow }

    mutating func takeRows(_ limit: Int) -> ArraySlice<Int64> {
        let taken = rows[nextRow..<min(nextRow + limit, rows.count)]
        nextRow = taken.endIndex
        if nextRow == rows.count { removeRows() }
        return taken
    }

    /// Forgets rows, because all results are fetched again.
    mutating func removeRows() { (rows, nextRow) = ([], 0) }

    mutating func reset() {
        let (isNotifying, isScheduled) = (isNotifying, isScheduled)
        self = ResultsFollowing(generation: generation + 1)
        (self.isNotifying, self.isScheduled) = (isNotifying, isScheduled)
    }

    private init(generation: Int) { self.generation = generation }

    init() {}
}
