/// A kind of import to measure.
enum ImportWork: String, CaseIterable, Codable, Sendable {
    /// An import into an empty database.
    case fresh
    /// An import of the same file again.
    case again
    /// An import that changes every row, in another order.
    case changed
    /// An import into an empty database with a unique key and two more indexes.
    case indexes

    /// Whether the database has the users before the import.
    var needsBase: Bool { self == .again || self == .changed }

    /// The number of indexes of the table.
    var indexCount: Int { self == .indexes ? 3 : 1 }

    /// The name of its count in the summary.
    var outcome: String {
        switch self {
        case .fresh, .indexes: "inserted"
        case .again: "unchanged"
        case .changed: "updated"
        }
    }

    /// The target for the time, as a multiple of the time of the twin.
    func target(_ side: ImportSide, count: Int) -> Double {
        switch (self, side) {
        case (_, .twin): 1
        case (.fresh, .command): count >= 10_000_000 ? 0.40 : 0.95
        case (.fresh, .closures): count >= 10_000_000 ? 0.50 : 1.25
        case (.again, .command): 1.0
        case (.again, .closures): 1.25
        case (.changed, .command): 0.75
        case (.changed, .closures): 0.9
        case (.indexes, .command): 0.45
        case (.indexes, .closures): 0.55
        }
    }
}
