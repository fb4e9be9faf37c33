extension FilterParser {
    /// Reads an expression; operators below `level` are left to the caller.
    mutating func expression(level: Int = 1) throws(FilterError) -> FilterExpression {
        try operations(of: unaryExpression(), level: level)
    }

    /// Reads the rest of an expression that begins with a group.
    mutating func operand(from group: FilterExpression) throws(FilterError) -> FilterExpression {
        try operations(of: postfix(group), level: 1)
    }

    private mutating func operations(of start: FilterExpression, level: Int) throws(FilterError) -> FilterExpression {
        var left = start
        while let operation = operation(), operation.level >= level {
            try deepen()
            advance()
            left = .operation(operation, left, try expression(level: operation.level + 1))
        }
        return left
    }

    private func operation() -> FilterOperation? {
        switch token.kind {
        case .symbol(let symbol): return FilterOperation(rawValue: symbol)
        case .word(let word): return FilterOperation(rawValue: word.inKeywordCase)
        default: return nil
        }
    }

    private mutating func unaryExpression() throws(FilterError) -> FilterExpression {
        if isAt("-") {
            if case .number(let value) = following.kind {
                advance()
                advance()
                return try postfix(.constant(FilterNumber(value).flatMap(\.negated)?.value ?? value))
            }
            try deepen()
            advance()
            return .negation(try unaryExpression())
        }
        if isAt("~") {
            try deepen()
            advance()
            return .function(.onesComplement, [try unaryExpression()])
        }
        return try postfix(try atom())
    }

    /// Reads any number of `[…]` and `.key` after an expression.
    private mutating func postfix(_ start: FilterExpression) throws(FilterError) -> FilterExpression {
        var base = start
        while true {
            if accept("[") {
                try deepen()
                base = .element(base, try bracket())
            } else if isAt(".") {
                try deepen()
                base = .path(base, try segments())
            } else {
                return base
            }
        }
    }

    private mutating func bracket() throws(FilterError) -> FilterIndex {
        let index: FilterIndex
        let isWord = following.kind == .symbol("]")
        switch keyword {
        case "FIRST" where isWord: index = .first
        case "LAST" where isWord: index = .last
        case "SIZE" where isWord: index = .size
        default:
            index = .at(try expression())
            try expect("]")
            return index
        }
        advance()
        advance()
        return index
    }

    /// Reads any number of keys, each after a dot.
    mutating func segments() throws(FilterError) -> [String] {
        var keys: [String] = []
        while accept(".") {
            switch token.kind {
            case .word(let key), .name(let key), .collectionOperator(let key): keys.append(key)
            case .keyPath(let path): keys += path
            default: throw failure(expected: "a key")
            }
            advance()
        }
        return keys
    }

    /// Reads expressions up to `end`; the deepest one determines `depth`.
    mutating func list(until end: String) throws(FilterError) -> [FilterExpression] {
        var expressions: [FilterExpression] = []
        guard !accept(end) else { return [] }
        try deepen()
        let outer = depth
        var deepest = depth
        repeat {
            depth = outer
            expressions.append(try expression())
            deepest = max(deepest, depth)
        } while accept(",")
        depth = deepest
        guard accept(end) else { throw failure(expected: ", or \(end)") }
        return expressions
    }
}
