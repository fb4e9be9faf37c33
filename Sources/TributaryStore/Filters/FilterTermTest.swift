import TributarySQLite

/// Translates the comparison of two terms to SQL; every condition is 0 or 1, never null.
struct FilterTermTest {
    private let comparison: FilterComparison
    private let folding: FilterOptions

    init(_ comparison: FilterComparison) {
        self.comparison = comparison
        folding = comparison.options.folding
    }

    func holds(_ left: FilterTerm, _ right: FilterTerm) throws(FilterError) -> SQLFragment {
        switch comparison.operator {
        case .equal: return try equal(left, right)
        case .notEqual: return try equal(left, right, isEqual: false)
        case .less: return try ordered(left, "<", right)
        case .greater: return try ordered(left, ">", right)
        case .lessOrEqual: return try inOrder(left, right)
        case .greaterOrEqual: return try inOrder(right, left)
        default: return try text(left, right)
        }
    }

    // MARK: Equality

    /// SQL that is true if the terms are equal, or if they are not.
    func equal(
        _ left: FilterTerm, _ right: FilterTerm, isEqual: Bool = true
    ) throws(FilterError) -> SQLFragment {
        let (left, right) = (left.comparable.folded(folding), right.comparable.folded(folding))
        let word: SQLFragment = isEqual ? " IS " : " IS NOT "
        if left.isNull || right.isNull {
            return left.isNull ? "(\(right.sql)\(word)NULL)" : "(\(left.sql)\(word)NULL)"
        }
        try check(left, right)
        let areObjects = left.kind == .object && right.kind == .object
        if areObjects ? left.entity?.root == right.entity?.root : isNative(left, right) {
            return "(\(left.sql)\(word)\(right.sql))"
        }
        if left.kind == .object || right.kind == .object || !isComparable(left, right) {
            let none: SQLFragment = "(\(left.sql) IS NULL AND \(right.sql) IS NULL)"
            return isEqual ? none : "(NOT \(none))"
        }
        return call(isEqual ? .equal : .notEqual, left, right)
    }

    /// SQL that is true if the term equals one of several.
    func isOne(_ term: FilterTerm, of terms: [FilterTerm]) throws(FilterError) -> SQLFragment {
        let element = term.comparable.folded(folding)
        var native: [SQLFragment] = []
        var parts: [SQLFragment] = []
        for other in terms {
            let folded = other.comparable.folded(folding)
            if folded.constant != nil, !folded.isNull, isNative(element, folded),
                element.kind != .object || element.entity?.root == folded.entity?.root
            {
                native.append(folded.sql)
            } else {
                parts.append(try equal(term, other))
            }
        }
        if native.count + parts.count > 20_000 {
            throw FilterTranslator.unsupported("a list of more than 20000 elements")
        }
        if !native.isEmpty {
            let isIn: SQLFragment = "\(element.sql) IN (\(native))"
            parts.insert(
                element.isSimple ? "(\(isIn) AND \(element.sql) IS NOT NULL)" : "COALESCE(\(isIn), 0)", at: 0)
        }
        return FilterTranslator.tree(parts[...], " OR ", empty: "0")
    }

    // MARK: Order

    /// SQL that is true if the left is not greater; null is in order with null.
    func inOrder(_ left: FilterTerm, _ right: FilterTerm) throws(FilterError) -> SQLFragment {
        let isKnown = [left, right].contains { $0.constant.map { !$0.isNull } ?? false }
        // A computed term is repeated nowhere, or nested conditions would grow exponentially.
        if !isKnown, !left.isSimple || !right.isSimple, isComparable(left, right), left.kind != .object {
            return call(.lessOrEqual, left, right)
        }
        let ordered = try ordered(left, "<=", right)
        return isKnown ? ordered : "(\(ordered) OR (\(left.sql) IS NULL AND \(right.sql) IS NULL))"
    }

    private func ordered(
        _ left: FilterTerm, _ word: String, _ right: FilterTerm
    ) throws(FilterError) -> SQLFragment {
        try check(left, right)
        let (left, right) = (left.comparable.folded(folding), right.comparable.folded(folding))
        guard isComparable(left, right), left.kind != .object else { return "0" }
        guard isNative(left, right) else {
            return call(word == "<" ? .less : word == ">" ? .greater : .lessOrEqual, left, right)
        }
        let order: SQLFragment = "\(left.sql) \(SQLFragment(trusted: word)) \(right.sql)"
        guard left.isSimple, right.isSimple else { return "COALESCE(\(order), 0)" }
        // Unlike COALESCE, this form avoids null and can use an index.
        let present = [left, right].filter(\.isNullable).map { term -> SQLFragment in "\(term.sql) IS NOT NULL" }
        return "(\(([order] + present), separator: " AND "))"
    }

    // MARK: Text

    /// SQL that is true if a text is part of another one.
    func isPart(_ part: FilterTerm, of whole: FilterTerm) throws(FilterError) -> SQLFragment {
        guard part.kind == .string, whole.kind == .string else {
            return try isText(part, whole) ? call(.in, part, whole) : "0"
        }
        return "COALESCE(instr(\(whole.folded(folding).sql), \(part.folded(folding).sql)) > 0, 0)"
    }

    private func text(_ left: FilterTerm, _ right: FilterTerm) throws(FilterError) -> SQLFragment {
        guard try isText(left, right) else { return "0" }
        if comparison.operator == .matches, case .string(let pattern) = right.constant {
            _ = try TextPattern.matches("", pattern, folding: folding)
        }
        return call(comparison.operator, left, right)
    }

    private func isText(_ left: FilterTerm, _ right: FilterTerm) throws(FilterError) -> Bool {
        try check(left, right)
        return [left, right].allSatisfy { $0.kind == .string || $0.kind == .any }
    }

    // MARK: Kinds

    private func check(_ left: FilterTerm, _ right: FilterTerm) throws(FilterError) {
        if left.kind == .opaque || right.kind == .opaque {
            throw FilterTranslator.unsupported("a comparison of a transformed value with anything but nil")
        }
    }

    private func isComparable(_ left: FilterTerm, _ right: FilterTerm) -> Bool {
        left.kind == .any || right.kind == .any
            || left.kind.family == right.kind.family && left.kind.family != nil
    }

    /// Whether SQLite compares the two as the evaluation in memory does.
    private func isNative(_ left: FilterTerm, _ right: FilterTerm) -> Bool {
        left.kind.isNative && right.kind.isNative && left.kind.family == right.kind.family
    }

    private func call(_ operator: FilterOperator, _ left: FilterTerm, _ right: FilterTerm) -> SQLFragment {
        let name = SQLFragment(trusted: "'\(`operator`.rawValue)'")
        let options = SQLFragment(trusted: String(folding.rawValue))
        return "_test(\(name), \(options), \(left.arguments), \(right.arguments))"
    }
}
