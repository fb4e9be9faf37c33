public import TributaryGraph
public import TributaryJSON

/// The results of a batch of records.
///
///     print(result.inserted, result.updated, result.rejects.count)
@dynamicMemberLookup
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

    /// One of the counts, as in `result.inserted`.
    public subscript(dynamicMember member: KeyPath<RecordCounts, Int>) -> Int { counts[keyPath: member] }

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
