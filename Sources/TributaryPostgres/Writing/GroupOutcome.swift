import TributaryStore

/// What became of the records of a group.
struct GroupOutcome {
    /// The counts, without rejects.
    var counts = RecordCounts()
    /// The rejects, in feed order.
    var rejects: [RejectedRecord] = []
    /// Whether the server has refused some of them.
    var hasRefusedRows = false
    /// For each entity the counts of objects inside of records.
    var related: [String: RecordCounts] = [:]
}
