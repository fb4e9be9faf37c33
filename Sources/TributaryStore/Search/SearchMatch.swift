import TributarySQLite

/// The rows of a table whose words match an expression of FTS5.
struct SearchMatch: Sendable {
    let index: SearchIndex
    let expression: String

    private var source: SQLFragment {
        """
        FROM main.\(identifier: index.name) WHERE \(identifier: index.name) MATCH \(expression)
        """
    }

    /// The condition that a row with a key is one of them.
    func condition(_ key: SQLFragment) -> SQLFragment { key + " IN (SELECT rowid " + source + ")" }

    /// The rows of a table with a key, each with its `rank`: the smaller, the better it matches.
    func ranked(_ table: SQLFragment, key: SQLFragment) -> SQLFragment {
        // The index is read first, whatever SQLite knows about the table.
        "(SELECT rowid AS \"_key\", rank AS \"_rank\" " + source + ") AS \"_match\" CROSS JOIN " + table + " ON " + key
            + " = \"_match\".\"_key\""
    }

    /// The rank in the rows of `ranked`.
    static let rank: SQLFragment = "\"_match\".\"_rank\""
}
