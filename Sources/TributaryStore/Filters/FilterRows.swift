import TributarySQLite

/// The elements of a collection as the rows of a query.
struct FilterRows {
    /// The FROM clause.
    var tables: SQLFragment
    var conditions: [SQLFragment]
    /// The value of the element in a row.
    var element: FilterTerm
    /// The keys of the joined rows, which determine the order of the elements.
    var order: [SQLFragment]
    /// Whether duplicate elements are removed.
    var isDistinct = false

    /// A query with a result for each row.
    func query(_ result: SQLFragment, where condition: SQLFragment? = nil) -> SQLFragment {
        let all = conditions + (condition.map { [$0] } ?? [])
        let query: SQLFragment = "SELECT \(result) FROM \(tables)"
        return all.isEmpty ? query : query + " WHERE \(all, separator: " AND ")"
    }

    /// SQL that is true if a row satisfies a condition.
    func exists(_ condition: SQLFragment) -> SQLFragment { "EXISTS (\(query("1", where: condition)))" }
}
