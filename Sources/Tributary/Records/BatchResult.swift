public import TributaryGraph
public import TributaryJSON

/// The results of a batch of records.
public struct BatchResult<Object: ManagedObject> {
    /// The outcome of each record, in feed order.
    public private(set) var outcomes: [RecordOutcome] = []
    /// The object of each record; nil if the record was rejected or skipped.
    public private(set) var objects: [Object?] = []
    /// The records that were rejected, with the reasons.
    public private(set) var rejects: [Reject] = []
    /// The primary keys of stored objects that records have found, if they are wanted.
    package var seenKeys: [Int64] = []
    /// The number of records by outcome.
    public private(set) var counts = RecordCounts()

    /// Records that inserted an object.
    public var inserted: Int { counts.inserted }
    /// Records that changed their object or other objects.
    public var updated: Int { counts.updated }
    /// Records that changed nothing.
    public var unchanged: Int { counts.unchanged }
    /// Records whose key existed already in the mode `.insert`.
    public var duplicate: Int { counts.duplicate }
    /// Records that the mode skips.
    public var skipped: Int { counts.skipped }
    /// Records that were rejected.
    public var rejected: Int { counts.rejected }

    /// The number of records with an outcome.
    public subscript(outcome: RecordOutcome) -> Int { counts[outcome] }

    mutating func reserve(_ count: Int) {
        outcomes.reserveCapacity(count)
        objects.reserveCapacity(count)
    }

    @inline(__always)
    mutating func add(_ outcome: RecordOutcome, _ object: Object? = nil) {
        outcomes.append(outcome)
        objects.append(object)
        counts[outcome] += 1
    }

    mutating func add(_ reject: Reject) {
        rejects.append(reject)
        add(.rejected)
    }

    /// Rejects the record that was added last, because its save failed.
    mutating func rejectLast(_ reject: Reject) {
        guard let last = outcomes.popLast() else { return }
        objects.removeLast()
        counts[last] -= 1
        add(reject)
    }

    /// The result with its objects cast to their class.
    func cast<Other: ManagedObject>(to type: Other.Type) -> BatchResult<Other> {
        var other = BatchResult<Other>()
        other.outcomes = outcomes
        other.objects = objects.map { object in object.map { unsafeDowncast($0, to: Other.self) } }
        other.rejects = rejects
        other.counts = counts
        return other
    }
}
