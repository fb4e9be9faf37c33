public import TributaryGraph
public import TributaryJSON

/// What has become of the records of a batch.
public struct BatchResult<Object: ManagedObject> {
    /// How each record has ended, in the order of the feed.
    public private(set) var outcomes: [RecordOutcome] = []
    /// The object of each record; nil where the record was refused or passed over.
    public private(set) var objects: [Object?] = []
    /// The records that were refused, and why.
    public private(set) var rejects: [Reject] = []
    /// How many records have ended in which way.
    public private(set) var counts = RecordCounts()

    init() {}

    /// Records that made an object.
    public var inserted: Int { counts.inserted }
    /// Records that changed one, or something around it.
    public var updated: Int { counts.updated }
    /// Records that told nothing new.
    public var unchanged: Int { counts.unchanged }
    /// Records whose key was there already, in a mode that only inserts.
    public var duplicate: Int { counts.duplicate }
    /// Records that the mode passes over.
    public var skipped: Int { counts.skipped }
    /// Records that were refused.
    public var rejected: Int { counts.rejected }

    /// How many records have ended so.
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

    /// Rejects the record that was added last, as its save was refused.
    mutating func rejectLast(_ reject: Reject) {
        guard let last = outcomes.popLast() else { return }
        objects.removeLast()
        counts[last] -= 1
        add(reject)
    }

    /// The same, with objects of the class that they are known to have.
    func cast<Other: ManagedObject>(to type: Other.Type) -> BatchResult<Other> {
        var other = BatchResult<Other>()
        other.outcomes = outcomes
        other.objects = objects.map { object in object.map { unsafeDowncast($0, to: Other.self) } }
        other.rejects = rejects
        other.counts = counts
        return other
    }
}
