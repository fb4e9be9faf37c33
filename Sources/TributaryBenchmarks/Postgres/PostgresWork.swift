/// A kind of import into PostgreSQL to measure.
enum PostgresWork: String, CaseIterable, Sendable {
    /// An import into an empty database.
    case fresh
    /// An import of records that are new to a table of as many others.
    case new
    /// An import of the same file again.
    case again
    /// An import that changes every row, in the same order.
    case changed

    /// A file of users.
    enum File: String {
        case users, others, changed

        var contents: UInt64 { self == .changed ? 2 : 1 }
        /// The first id of `count` ones.
        func first(_ count: Int) -> Int { self == .others ? count + 1 : 1 }
    }

    /// What the table holds before the import; nil if there is no table.
    var base: File? {
        switch self {
        case .fresh: nil
        case .new: .others
        case .again, .changed: .users
        }
    }

    /// What is imported.
    var file: File { self == .changed ? .changed : .users }

    /// The number of connections.
    var connections: Int { self == .fresh ? 1 : 2 }

    /// The name of its count in the summary.
    var outcome: String {
        switch self {
        case .fresh, .new: "inserted"
        case .again: "unchanged"
        case .changed: "updated"
        }
    }

    /// The most bytes of the write-ahead log of the server.
    var mostLogged: Int64? { self == .again ? 1_000_000 : nil }
}
