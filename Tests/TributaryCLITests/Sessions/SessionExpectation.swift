import TributarySQLite

/// What a command of a session must answer.
struct SessionExpectation {
    /// A change of a row.
    struct Change {
        var table: String
        var kind: String
        var key: [String: SQLValue]
        var old: [String: SQLValue]
        var new: [String: SQLValue]
    }

    var code: Int32
    /// Another exit code that is as good.
    var otherCode: Int32?
    /// The counts that it prints; nil if it prints none.
    var counts: SessionCounts?
    /// What became of the objects inside of records, by table.
    var related: [String: SessionCounts] = [:]
    /// The number of rows that a sync deletes; nil if it is none, or deletes nothing because of a reason.
    var deleted: Int?
    /// What a dry run shows, or the file of changes lists; nil if there is none.
    var changes: [Change]?
    /// The number of rows at most that have a place in a sample, but are not shown.
    var hidden = 0

    static let failure = SessionExpectation(code: 1)
}
