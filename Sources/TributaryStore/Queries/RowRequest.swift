package import TributarySQLite

/// The part of a request that a store executes: the rows of an entity and their order.
package struct RowRequest: Sendable, Hashable {
    /// The name of the entity.
    package var entityName: String
    /// The condition for the rows; nil matches all.
    package var filter: Filter?
    /// The order; rows that are equal by all keys are ordered by primary key.
    package var sort: [SortKey] = []
    /// The maximum number of results; nil means no limit.
    package var limit: Int?
    /// The number of results to skip.
    package var offset = 0
    /// Whether rows of subentities are included.
    package var includesSubentities = true
    /// The values of `$variables` in the filter.
    package var variables: [String: FilterValue] = [:]

    /// A request for the rows of an entity.
    package init(entity name: String, where filter: Filter? = nil, sort: [SortKey] = []) {
        entityName = name
        self.filter = filter
        self.sort = sort
    }

    /// Whether a limit or an offset selects a part of the rows.
    var hasWindow: Bool { limit != nil || offset != 0 }

    /// The LIMIT and OFFSET clauses; empty for all rows.
    package static func window(limit: Int?, offset: Int) throws(FetchError) -> SQLFragment {
        guard limit ?? 0 >= 0, offset >= 0 else {
            throw FetchError(.window, "limit and offset must not be negative; a limit of nil means all rows")
        }
        if limit == nil, offset == 0 { return "" }
        // SQLite has no OFFSET without a LIMIT; a negative limit means no limit.
        let end: SQLFragment = offset == 0 ? "" : " OFFSET \(offset)"
        return " LIMIT \(limit ?? -1)" + end
    }
}
