/// The rows that a transaction has written, for those who want to hear of them.
struct WrittenKeys {
    /// How much there is of each lane.
    typealias Mark = [Int: (inserted: Int, updated: Int)]

    /// For each lane the numbers of its new and of its changed rows.
    private(set) var lanes: [Int: (inserted: [Int64], updated: [Int64])] = [:]

    /// Takes down what has been written through a lane.
    mutating func add(inserted: [Int64], updated: [Int64], lane: Int) {
        lanes[lane, default: ([], [])].inserted += inserted
        lanes[lane, default: ([], [])].updated += updated
    }

    /// How far it goes; a copy of it all would be a copy of millions.
    var mark: Mark { lanes.mapValues { ($0.inserted.count, $0.updated.count) } }

    /// Forgets what was added after `mark`.
    mutating func cut(to mark: Mark) {
        for lane in Array(lanes.keys) {
            let (inserted, updated) = mark[lane] ?? (0, 0)
            lanes[lane]?.inserted.removeSubrange(inserted...)
            lanes[lane]?.updated.removeSubrange(updated...)
        }
    }
}
