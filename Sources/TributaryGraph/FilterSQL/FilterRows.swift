import TributarySQLite

/// The elements of a collection: rows of a query.
struct FilterRows {
    /// The tables.
    var tables: SQLFragment
    var conditions: [SQLFragment]
    /// An element.
    var element: FilterTerm
    /// What tells the rows apart, in the order in which they are taken.
    var order: [SQLFragment]
    /// Whether equal elements are one.
    var isDistinct = false

    /// A query with a result for each row.
    func query(_ result: SQLFragment, where condition: SQLFragment? = nil) -> SQLFragment {
        let all = conditions + (condition.map { [$0] } ?? [])
        let query: SQLFragment = "SELECT \(result) FROM \(tables)"
        return all.isEmpty ? query : query + " WHERE \(all, separator: " AND ")"
    }

    /// Whether there is a row for which a condition holds.
    func exists(_ condition: SQLFragment) -> SQLFragment { "EXISTS (\(query("1", where: condition)))" }
}
