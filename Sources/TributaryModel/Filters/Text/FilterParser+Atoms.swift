extension FilterParser {
    private static let reserved: Set<String> = [
        "AND", "OR", "NOT", "IN", "ANY", "ALL", "SOME", "NONE", "LIKE", "MATCHES", "CONTAINS", "BEGINSWITH", "ENDSWITH",
        "BETWEEN", "NULL", "NIL", "SELF", "TRUE", "YES", "FALSE", "NO", "SUBQUERY", "FETCH", "CAST", "TERNARY",
        "FUNCTION", "ANYKEY", "TRUEPREDICATE", "FALSEPREDICATE", "CASEINSENSITIVE", "CI",
    ]

    /// Whether a word is read as a key only after `#`.
    static func isReserved(_ word: String) -> Bool {
        let word = word.inKeywordCase
        return reserved.contains(word) || ["FIRST", "LAST", "SIZE"].contains(word)
    }

    /// Reads a value, a path, a call or a group.
    mutating func atom() throws(FilterError) -> FilterExpression {
        switch token.kind {
        case .number(let value):
            advance()
            return .constant(value)
        case .string(let text):
            advance()
            return .constant(.string(text))
        case .variable(let name):
            advance()
            guard !isAt(":=") else { throw unsupported("assigning to a variable") }
            return .variable(name)
        case .operand(let operand):
            let expression = operand.asExpression
            if let error = expression.error { throw error }
            advance()
            return expression
        case .name(let key), .collectionOperator(let key):
            advance()
            return .keyPath([key] + (try segments()))
        case .keyPath(let keys):
            advance()
            return .keyPath(keys + (try segments()))
        case .word(let word): return try atom(named: word)
        case .symbol("("):
            try deepen()
            advance()
            let inner = try expression()
            try expect(")")
            return inner
        case .symbol("{"):
            advance()
            return try aggregate()
        case .symbol, .end: throw failure(expected: "a value")
        }
    }

    private mutating func atom(named word: String) throws(FilterError) -> FilterExpression {
        let isCall = following.kind == .symbol("(")
        switch word.inKeywordCase {
        case "TRUE", "YES": return constant(.boolean(true))
        case "FALSE", "NO": return constant(.boolean(false))
        case "NULL", "NIL": return constant(.null)
        case "SELF":
            advance()
            return isAt(".") ? .keyPath(try segments()) : .subject
        case "SUBQUERY" where isCall: return try subquery()
        case "TERNARY" where isCall: return try ternary()
        case "CAST" where isCall: return try cast()
        case "FUNCTION" where isCall: return try selector()
        case "FETCH", "ANYKEY": throw unsupported(word.inKeywordCase)
        case _ where isCall: return try call(word)
        case let upper:
            guard !Self.reserved.contains(upper), !word.contains(":") else { throw failure(expected: "a value") }
            advance()
            return .keyPath([word] + (try segments()))
        }
    }

    private mutating func constant(_ value: FilterValue) -> FilterExpression {
        advance()
        return .constant(value)
    }

    func unsupported(_ what: String) -> FilterError {
        FilterError(.unsupported, "\(what) is not supported", position: source.position(of: token.start))
    }

    /// Reads an aggregate after its opening brace.
    ///
    /// If all elements are constants, it is a list, unless the first element is in parentheses.
    private mutating func aggregate() throws(FilterError) -> FilterExpression {
        if isAt(","), following.kind == .symbol("}") {
            advance()
            advance()
            return .aggregate([])
        }
        let isGrouped = isAt("(")
        let elements = try list(until: "}")
        var values: [FilterValue] = []
        for case .constant(let value) in elements { values.append(value) }
        return values.count == elements.count && !isGrouped ? .constant(.list(values)) : .aggregate(elements)
    }
}
