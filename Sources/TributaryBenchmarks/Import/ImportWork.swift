/// A kind of import that is measured.
enum ImportWork: String, CaseIterable, Codable, Sendable {
    /// Into an empty database.
    case fresh
    /// The same file once more.
    case again
    /// Other contents for every row, in another order.
    case changed
    /// Into an empty database with a unique key and two more indexes.
    case indexes

    /// Whether it begins with a database that holds the users already.
    var needsBase: Bool { self == .again || self == .changed }

    /// How many indexes the table has.
    var indexCount: Int { self == .indexes ? 3 : 1 }

    /// What the books call its records.
    var outcome: String {
        switch self {
        case .fresh, .indexes: "inserted"
        case .again: "unchanged"
        case .changed: "updated"
        }
    }

    /// What is aimed at: the time, where that of the twin is 1.
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
