/// What filters have for a word of SQL, for errors.
enum FilterHint {
    private static let words: [String: String] = [
        "AVG": "average(x)", "TOTAL": "sum(x)", "STDEV": "stddev(x)", "LEN": "length(x)", "LOWER": "lowercase(x)",
        "UPPER": "uppercase(x)", "CEIL": "ceiling(x)", "IS": "x == nil or x != nil",
        "ISNULL": "x == nil", "NOTNULL": "x != nil", "ILIKE": "LIKE[c]", "GLOB": "LIKE", "REGEXP": "MATCHES",
        "COLLATE": "==[c]", "SUBSTR": "BEGINSWITH, CONTAINS or MATCHES", "SUBSTRING": "BEGINSWITH, CONTAINS or MATCHES",
        "INSTR": "CONTAINS", "COALESCE": "TERNARY(x == nil, y, x)", "IFNULL": "TERNARY(x == nil, y, x)",
        "IIF": "TERNARY(a > b, x, y)", "WHEN": "TERNARY(a > b, x, y)",
    ]

    /// The operators that no NOT precedes.
    private static let operators: Set = ["LIKE", "BETWEEN", "CONTAINS", "MATCHES", "BEGINSWITH", "ENDSWITH"]

    /// The hint of a syntax error, or nothing.
    static func text(for found: String, expected: String) -> String {
        switch (found.uppercased(), expected) {
        case ("*", "a value"): " (write count(SELF) for the number of rows)"
        case (let word, "IN") where operators.contains(word): " (write NOT (x \(word) y))"
        case (let word, _): words[word].map { " (write \($0))" } ?? ""
        }
    }
}
