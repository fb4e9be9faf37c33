package import TributarySQLite

/// What SQLite is asked and how it goes about it.
///
///     SELECT "_o"."_pk" FROM "Book" AS "_o" WHERE ("_o"."isbn" IS ?) ORDER BY "_o"."_pk"
///       SEARCH _o USING INDEX _unique.Book.isbn (isbn=?)
///
/// The values are not in it.
public struct QueryExplanation: Sendable, Hashable, CustomStringConvertible {
    /// The SQL, with a question mark for each value.
    public let sql: String
    /// What SQLite does, step by step; what belongs to a step stands two blanks further in.
    public let plan: [String]

    /// The SQL and the plan, one line each.
    public var description: String { ([sql] + plan.map { "  " + $0 }).joined(separator: "\n") }
}

extension SQLFragment {
    /// How SQLite executes the statement on a connection; it is not executed.
    ///
    /// - Throws: `SQLiteError`.
    package func explanation(on connection: Connection) throws -> QueryExplanation {
        var depths: [Int64: Int] = [:]
        var plan: [String] = []
        let query: SQLFragment = "EXPLAIN QUERY PLAN \(self)"
        try connection.forEachRow(of: query) { row in
            let depth = depths[row.integer(at: 1)].map { $0 + 1 } ?? 0
            depths[row.integer(at: 0)] = depth
            plan.append(String(repeating: "  ", count: depth) + row.text(at: 3))
        }
        return QueryExplanation(sql: text, plan: plan)
    }
}
