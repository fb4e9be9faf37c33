/// The numbers of records by outcome.
public struct RecordCounts: Sendable, Hashable, Codable {
    /// Records that inserted an object.
    public var inserted = 0
    /// Records that changed an object.
    public var updated = 0
    /// Records that changed nothing.
    public var unchanged = 0
    /// Records whose key existed already, in a mode that only inserts.
    public var duplicate = 0
    /// Records that the mode skips.
    public var skipped = 0
    /// Records that were rejected, and parts that could not be read as records.
    public var rejected = 0

    /// No records.
    public init() {}

    /// The number of all records.
    public var total: Int { inserted + updated + unchanged + duplicate + skipped + rejected }

    /// The number of records with an outcome.
    public subscript(outcome: RecordOutcome) -> Int {
        get {
            switch outcome {
            case .inserted: inserted
            case .updated: updated
            case .unchanged: unchanged
            case .duplicate: duplicate
            case .skipped: skipped
            case .rejected: rejected
            }
        }
        set {
            switch outcome {
            case .inserted: inserted = newValue
            case .updated: updated = newValue
            case .unchanged: unchanged = newValue
            case .duplicate: duplicate = newValue
            case .skipped: skipped = newValue
            case .rejected: rejected = newValue
            }
        }
    }

    /// Adds the counts of other records.
    public static func += (counts: inout RecordCounts, other: RecordCounts) {
        for outcome in RecordOutcome.allCases { counts[outcome] += other[outcome] }
    }
}
