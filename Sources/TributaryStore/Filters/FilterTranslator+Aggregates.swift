import TributarySQLite

extension FilterTranslator {
    /// A collection operator with the path after it.
    mutating func aggregate(
        _ name: String, of base: FilterSide, _ rest: ArraySlice<String>
    ) throws(FilterError) -> FilterSide {
        let isSelection = name.hasPrefix("@distinctUnion") || name.hasPrefix("@union")
        let path = isSelection ? rest.prefix { !$0.hasPrefix("@") } : rest
        let elements: FilterSide
        if case .rows(var rows) = base, path.contains(where: { $0.hasPrefix("@") }) {
            // An operator in the path computes one value for each element.
            if rows.isDistinct { throw Self.unsupported("a path from distinct elements") }
            guard case .term(let term) = try follow(path, from: .term(rows.element)) else {
                throw Self.unsupported("\(name) of a selection in a path")
            }
            rows.element = term
            elements = .rows(rows)
        } else {
            elements = try follow(path, from: base)
        }
        if isSelection {
            guard case .rows(var rows) = elements else { throw Self.unsupported("\(name) of a single value") }
            rows.element = rows.element.comparable
            rows.conditions.append("\(rows.element.sql) IS NOT NULL")
            if name.hasPrefix("@distinct") {
                guard rows.element.kind.isNative else { throw Self.unsupported("\(name) of values of this type") }
                rows.isDistinct = true
            }
            return try follow(rest.dropFirst(path.count), from: .rows(rows))
        }
        switch name {
        case "@count": return .term(try collect(.count, elements))
        case "@sum": return .term(try collect(.sum, elements))
        case "@avg": return .term(try collect(.average, elements))
        case "@min": return .term(try collect(.min, elements))
        case "@max": return .term(try collect(.max, elements))
        default: throw FilterError(.key, "there is no collection operator \(name)")
        }
    }

    /// A function over the elements of a side.
    mutating func collect(_ function: FilterFunction, _ side: FilterSide) throws(FilterError) -> FilterTerm {
        switch side {
        case .rows(let rows): return try collect(function, rows)
        case .list(let terms, _): return try collect(function, terms)
        case .term(let term):
            // A single value is its only element; null has no elements.
            if term.isNull { return try collect(function, []) }
            if function == .count { return FilterTerm("(\(term.sql) IS NOT NULL)", .integer) }
            let kind = try resultKind(function, [term.kind])
            return call(function, on: "_element(\(term.arguments))", kind)
        }
    }

    private func collect(_ function: FilterFunction, _ terms: [FilterTerm]) throws(FilterError) -> FilterTerm {
        if function == .count {
            return FilterTerm(constant: .integer(Int64(terms.count)), .integer, .integer(Int64(terms.count)))
        }
        let kind = try resultKind(function, terms.map(\.kind))
        let packs = terms.map { term -> SQLFragment in "_pack(\(term.arguments))" }
        return call(function, on: packs.isEmpty ? "''" : packs.joined(separator: " || "), kind)
    }

    private func collect(_ function: FilterFunction, _ rows: FilterRows) throws(FilterError) -> FilterTerm {
        let element = rows.element
        if function == .count {
            let what: SQLFragment = rows.isDistinct ? "COUNT(DISTINCT \(element.sql))" : "COUNT(*)"
            return FilterTerm("(\(rows.query(what)))", .integer)
        }
        let kind = try resultKind(function, [element.kind])
        let term = element.comparable
        if function == .min || function == .max, term.kind.isNative {
            let least: SQLFragment = function == .min ? "MIN(\(term.sql))" : "MAX(\(term.sql))"
            return FilterTerm("(\(rows.query(least)))", term.kind)
        }
        let inner: SQLFragment
        if rows.isDistinct {
            inner = rows.query("DISTINCT \(term.sql) AS v") + " ORDER BY 1"
        } else {
            inner = rows.query("\(term.sql) AS v") + " ORDER BY \(rows.order)"
        }
        let letter = SQLFragment(trusted: term.kind.literal)
        return call(function, on: "(SELECT group_concat(_pack(\(letter), v), '') FROM (\(inner)))", kind)
    }

    private func call(_ function: FilterFunction, on pack: SQLFragment, _ kind: FilterKind) -> FilterTerm {
        let name = SQLFragment(trusted: "'\(function.rawValue)'")
        let letter = SQLFragment(trusted: kind.literal)
        return FilterTerm("_collect(\(name), \(pack), \(letter))", kind)
    }

    /// The kind of a function's result for elements of some kinds.
    private func resultKind(_ function: FilterFunction, _ kinds: [FilterKind]) throws(FilterError) -> FilterKind {
        let kinds = kinds.filter { $0 != .null }
        if kinds.contains(where: { $0 == .object || $0 == .opaque || $0 == .any }) {
            throw Self.unsupported("\(function.rawValue) of values of this type")
        }
        let areNumbers = kinds.allSatisfy { $0.family == .number }
        switch function {
        case .min, .max:
            guard let first = kinds.first else { return .null }
            if first.family == .date, kinds.allSatisfy({ $0.family == .date }) { return .moment }
            if kinds.allSatisfy({ $0 == first }) { return first }
            return .any
        case .sum, .average, .median, .stddev:
            guard areNumbers else { throw FilterError(.operand, "a sum or an average needs numbers") }
            return .number
        default: throw Self.unsupported(function.rawValue)
        }
    }
}
