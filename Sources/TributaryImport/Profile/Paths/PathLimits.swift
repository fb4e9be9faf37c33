import TributaryStore

/// How many paths a profile has at most.
enum PathLimits {
    /// More members with objects than this are the keys of a dictionary.
    static let objects = 60
    /// More members than this are the keys of a dictionary, since a table cannot have so many columns.
    static let members = InferredColumns.maximumCount
    /// The most paths; those that are further inside are left out when there are more.
    static let paths = 8192
    /// The most steps of a path.
    static let depth = 64
    /// The most bytes of the name of a member.
    static let nameBytes = 1024

    /// The number of paths that are kept of the numbers of paths by steps, and the most steps that they have.
    static func kept(_ counts: [Int]) -> (count: Int, depth: Int) {
        var kept = 0
        for (depth, count) in counts.enumerated() {
            guard kept + count <= paths || depth < 2 else { return (kept, depth - 1) }
            kept += count
        }
        return (kept, PathLimits.depth)
    }

    /// Whether so many members are the keys of a dictionary.
    static func isDictionary(members: Int, withObjects: Int) -> Bool {
        withObjects > objects || members > self.members
    }
}
