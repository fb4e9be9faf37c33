import TributarySQLite

/// What a store sees of a request: which rows of which entity, in what order.
package struct RowRequest: Sendable, Hashable {
    /// The name of the entity.
    package var entityName: String
    /// What rows must pass; nil for all.
    package var filter: Filter?
    /// The order; what no key tells apart comes by number.
    package var sort: [SortKey] = []
    /// At most so many; 0 is all.
    package var limit = 0
    /// So many are left out at the start.
    package var offset = 0
    /// Whether rows of subentities count.
    package var includesSubentities = true
    /// The values of `$variables` in the filter.
    package var variables: [String: FilterValue] = [:]

    /// A request for the rows of an entity.
    package init(entity name: String, where filter: Filter? = nil, sort: [SortKey] = []) {
        entityName = name
        self.filter = filter
        self.sort = sort
    }

    /// The rows of a request for objects; without its window if the caller merges them with changes first.
    package init<Object>(_ request: FetchRequest<Object>, isWindowed: Bool = true) {
        self.init(entity: request.entityName, where: request.filter, sort: request.sort)
        limit = isWindowed ? request.limit : 0
        offset = isWindowed ? request.offset : 0
        includesSubentities = request.includesSubentities
        variables = request.variables
    }

    /// Whether only a part of the rows is wanted.
    var hasWindow: Bool { limit != 0 || offset != 0 }

    /// What stands at the end of the SQL.
    ///
    /// - Throws: `FetchError` for numbers below 0.
    static func window(limit: Int, offset: Int) throws(FetchError) -> SQLFragment {
        guard limit >= 0, offset >= 0 else {
            throw FetchError(
                .window, "a limit of \(limit) and an offset of \(offset) mean nothing; 0 is all, and from the start")
        }
        if limit == 0, offset == 0 { return "" }
        // SQLite has no OFFSET without a LIMIT; below 0 it is none.
        let end: SQLFragment = offset == 0 ? "" : " OFFSET \(offset)"
        return " LIMIT \(limit == 0 ? -1 : limit)" + end
    }
}
