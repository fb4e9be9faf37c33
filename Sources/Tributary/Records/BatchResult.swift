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
    private var counts: [Int] = Array(repeating: 0, count: RecordOutcome.allCases.count)

    init() {}

    /// Records that made an object.
    public var inserted: Int { self[.inserted] }
    /// Records that changed one, or something around it.
    public var updated: Int { self[.updated] }
    /// Records that told nothing new.
    public var unchanged: Int { self[.unchanged] }
    /// Records whose key was there already, in a mode that only inserts.
    public var duplicate: Int { self[.duplicate] }
    /// Records that the mode passes over.
    public var skipped: Int { self[.skipped] }
    /// Records that were refused.
    public var rejected: Int { self[.rejected] }

    /// How many records have ended so.
    public subscript(outcome: RecordOutcome) -> Int { counts[Int(outcome.rawValue)] }

    mutating func reserve(_ count: Int) {
        outcomes.reserveCapacity(count)
        objects.reserveCapacity(count)
    }

    @inline(__always)
    mutating func add(_ outcome: RecordOutcome, _ object: Object? = nil) {
        outcomes.append(outcome)
        objects.append(object)
        counts[Int(outcome.rawValue)] += 1
    }

    mutating func add(_ reject: Reject) {
        rejects.append(reject)
        add(.rejected)
    }

    /// The objects of records.
    var ownObjects: Set<ObjectIdentifier> { Set(objects.lazy.compactMap { $0.map(ObjectIdentifier.init) }) }

    /// The same; nil if several records have led to one.
    var distinctObjects: Set<ObjectIdentifier>? {
        let own = ownObjects
        return own.count == objects.count { $0 != nil } ? own : nil
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
