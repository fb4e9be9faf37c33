import TributarySQLite

extension FilterTranslator {
    mutating func condition(_ comparison: FilterComparison) throws(FilterError) -> SQLFragment {
        let left = try side(comparison.left)
        let right = try side(comparison.right)
        switch (comparison.modifier, left) {
        case (.direct, _):
            let isAmbiguous =
                switch comparison.operator {
                case .contains: right.isToMany
                case .in, .between: left.isToMany
                default: left.isToMany || right.isToMany
                }
            if isAmbiguous { throw FilterError(.toMany, "\(comparison) compares several objects; use ANY or ALL") }
            return try holds(left, comparison, right)
        case (.any, .rows(let rows)):
            return rows.exists(try holds(.term(rows.element), comparison, right))
        case (.all, .rows(let rows)):
            return "(NOT \(rows.exists("NOT \(try holds(.term(rows.element), comparison, right))")))"
        case (.any, .list(let terms, _)):
            return Self.tree(try holds(terms, comparison, right)[...], " OR ", empty: "0")
        case (.all, .list(let terms, _)):
            return Self.tree(try holds(terms, comparison, right)[...], " AND ", empty: "1")
        case (.any, .term(let term)):
            if term.isNull { return "0" }
            return "(\(term.sql) IS NOT NULL AND \(try holds(left, comparison, right)))"
        case (.all, .term(let term)):
            if term.isNull { return "1" }
            return "(\(term.sql) IS NULL OR \(try holds(left, comparison, right)))"
        }
    }

    private func holds(
        _ terms: [FilterTerm], _ comparison: FilterComparison, _ right: FilterSide
    ) throws(FilterError) -> [SQLFragment] {
        try terms.map { term throws(FilterError) in try holds(.term(term), comparison, right) }
    }

    private func holds(
        _ left: FilterSide, _ comparison: FilterComparison, _ right: FilterSide
    ) throws(FilterError) -> SQLFragment {
        let test = FilterTermTest(comparison)
        switch (comparison.operator, left, right) {
        case (.in, .term(let term), let whole), (.contains, let whole, .term(let term)):
            switch whole {
            case .term(let whole): return try test.isPart(term, of: whole)
            case .list(let terms, _): return try test.isOne(term, of: terms)
            case .rows(let rows): return rows.exists(try test.equal(rows.element, term))
            }
        case (.between, _, .term(let bounds)) where bounds.isNull: return "0"
        case (.between, let value, .list(let bounds, _)):
            guard bounds.count == 2 else { break }
            guard case .term(let term) = value else { return "0" }
            let low = try test.inOrder(bounds[0], term)
            let high = try test.inOrder(term, bounds[1])
            return term.isNull ? "0" : "(\(term.sql) IS NOT NULL AND \(low) AND \(high))"
        case (.in, _, _), (.contains, _, _): throw Self.unsupported("\(comparison)")
        case (.between, _, _): break
        case (_, .term(let left), .term(let right)): return try test.holds(left, right)
        // A value is not a list.
        case (.notEqual, .term, .list), (.notEqual, .list, .term): return "1"
        case (_, .term, .list), (_, .list, .term): return "0"
        default: throw Self.unsupported("\(comparison)")
        }
        throw FilterError(.operand, "BETWEEN needs two bounds, as {1, 10}")
    }
}
