package import TributarySQLite

/// The SQL of a request and SQLite's plan for it.
///
///     SELECT "_o"."_pk" FROM "Book" AS "_o" WHERE ("_o"."isbn" IS ?) ORDER BY "_o"."_pk"
///       SEARCH _o USING INDEX _unique.Book.isbn (isbn=?)
///
/// Bound values are not included.
public struct QueryExplanation: Sendable, Hashable, CustomStringConvertible {
    /// The SQL, with a question mark for each value.
    public let sql: String
    /// The steps of the plan; a substep is indented by two spaces.
    public let plan: [String]

    /// The SQL and the steps of the plan, one per line.
    public var description: String { ([sql] + plan.map { "  " + $0 }).joined(separator: "\n") }
}

extension SQLFragment {
    /// SQLite's plan for the statement, which is not executed.
    package func explanation(on connection: Connection) throws -> QueryExplanation {
        var depths: [Int64: Int] = [:]
        let plan = try connection.rows(of: "EXPLAIN QUERY PLAN \(self)") { row in
            let depth = depths[row.integer(at: 1)].map { $0 + 1 } ?? 0
            depths[row.integer(at: 0)] = depth
            return String(repeating: "  ", count: depth) + row.text(at: 3)
        }
        return QueryExplanation(sql: text, plan: plan)
    }
}
