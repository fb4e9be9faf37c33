/// The counts of a run.
struct SessionCounts: Hashable, Codable, Sendable {
    var read = 0
    var inserted = 0
    var updated = 0
    var unchanged = 0
    var duplicate = 0
    var skipped = 0
    var rejected = 0

    mutating func add(_ outcome: SessionOracle.Outcome) {
        read += 1
        switch outcome {
        case .inserted: inserted += 1
        case .updated: updated += 1
        case .unchanged: unchanged += 1
        case .duplicate: duplicate += 1
        case .skipped: skipped += 1
        case .rejected: rejected += 1
        }
    }
}
