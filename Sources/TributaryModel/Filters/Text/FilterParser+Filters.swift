extension FilterParser {
    mutating func disjunction() throws(FilterError) -> FilterOperand {
        let first = try conjunction()
        guard keyword == "OR" || isAt("||"), case .filter(let filter) = first else { return first }
        var filters = [filter]
        while keyword == "OR" || isAt("||") {
            advance()
            filters.append(try requireFilter(conjunction()))
        }
        return .filter(.or(filters))
    }

    private mutating func conjunction() throws(FilterError) -> FilterOperand {
        let first = try unary()
        guard keyword == "AND" || isAt("&&"), case .filter(let filter) = first else { return first }
        var filters = [filter]
        while keyword == "AND" || isAt("&&") {
            advance()
            filters.append(try requireFilter(unary()))
        }
        return .filter(.and(filters))
    }

    func requireFilter(_ term: FilterOperand) throws(FilterError) -> Filter {
        guard case .filter(let filter) = term else { throw failure(expected: "an operator") }
        return filter
    }

    private mutating func unary() throws(FilterError) -> FilterOperand {
        guard keyword == "NOT" || isAt("!") else {
            let outer = depth
            let term = try primary()
            // The levels of an expression still count for the rest of it; a filter is complete.
            if case .filter = term { depth = outer }
            return term
        }
        try deepen()
        advance()
        let filter = try requireFilter(unary())
        depth -= 1
        return .filter(.not(filter))
    }

    private mutating func primary() throws(FilterError) -> FilterOperand {
        if isAt("(") {
            try deepen()
            advance()
            let inner = try disjunction()
            guard isAt(")") else {
                if case .expression = inner { throw failure(expected: "an operator or )") }
                throw failure(expected: "AND, OR or )")
            }
            advance()
            guard case .expression(let expression) = inner else { return inner }
            return try comparison(of: operand(from: expression))
        }
        if case .operand(.filter(let filter)) = token.kind {
            if let error = filter.error { throw error }
            advance()
            return .filter(filter)
        }
        switch keyword {
        case "TRUEPREDICATE":
            advance()
            return .filter(.always)
        case "FALSEPREDICATE":
            advance()
            return .filter(.never)
        case "ANY", "SOME": return .filter(try quantified(.any))
        case "ALL": return .filter(try quantified(.all))
        case "NONE": return .filter(.not(try quantified(.any)))
        default: return try comparison(of: expression())
        }
    }

    private mutating func quantified(_ modifier: FilterModifier) throws(FilterError) -> Filter {
        advance()
        let left = try expression()
        let term = try comparison(of: left, modifier)
        return try requireFilter(term)
    }

    /// Reads the operator and the right side of a comparison; without an operator the left side stays an expression.
    private mutating func comparison(
        of left: FilterExpression, _ modifier: FilterModifier = .direct
    ) throws(FilterError) -> FilterOperand {
        var isNegated = false
        if keyword == "NOT" {
            advance()
            guard keyword == "IN" else { throw failure(expected: "IN") }
            isNegated = true
        }
        guard let `operator` = comparisonOperator() else { return .expression(left) }
        advance()
        let options = accept("[") ? try options() : []
        // The depths of both sides add up, which is an upper bound: the sides are siblings in the tree.
        let comparison = FilterComparison(
            left, `operator`, try expression(), options: options, modifier: modifier)
        return .filter(isNegated ? .not(Filter(comparison)) : Filter(comparison))
    }

    private func comparisonOperator() -> FilterOperator? {
        switch token.kind {
        case .symbol(let symbol): FilterOperator(spelling: symbol)
        case .word(let word): FilterOperator(spelling: word)
        default: nil
        }
    }

    private mutating func options() throws(FilterError) -> FilterOptions {
        var options: FilterOptions = []
        while case .word(let word) = token.kind {
            let lower = word.lowercased()
            if lower == "ci" || lower == "caseinsensitive" {
                options.insert(.caseInsensitive)
            } else {
                for letter in lower {
                    guard let option = FilterOptions.letters.first(where: { $0.0 == letter })?.1 else {
                        throw failure(expected: "the options c, d, n, l")
                    }
                    options.insert(option)
                }
            }
            advance()
            _ = accept(",")
        }
        guard accept("]") else { throw failure(expected: "the options c, d, n, l and ]") }
        return options
    }
}
