import TributarySQLite

/// Translates one filter; it counts the tables that it names.
struct FilterTranslator {
    let schema: Schema
    let subject: FilterTerm
    /// What the variables of the SUBQUERYs around stand for.
    var variables: [String: FilterTerm] = [:]
    private var count = 0

    /// How many bytes the SQL of a comparison may have.
    private static let longest = 4 << 20

    init(_ compiler: FilterCompiler) {
        schema = compiler.schema
        subject = FilterTerm(row: compiler.alias, of: compiler.entity)
    }

    /// A name for a table that no other has.
    mutating func alias() -> String {
        count += 1
        return "_\(count)"
    }

    mutating func condition(_ filter: Filter) throws(FilterError) -> SQLFragment {
        switch filter.form {
        case .always: return "1"
        case .never: return "0"
        case .malformed(let error): throw error
        case .comparison(let comparison):
            let sql: SQLFragment = try condition(comparison)
            // Some operands are named several times; nested ones would grow without bound.
            if sql.text.utf8.count > Self.longest { throw Self.unsupported("so long a condition") }
            return sql
        case .not(let filter): return "(NOT \(try condition(filter)))"
        case .and(let filters): return Self.tree(try conditions(filters)[...], " AND ", empty: "1")
        case .or(let filters): return Self.tree(try conditions(filters)[...], " OR ", empty: "0")
        }
    }

    private mutating func conditions(_ filters: [Filter]) throws(FilterError) -> [SQLFragment] {
        var conditions: [SQLFragment] = []
        for filter in filters { conditions.append(try condition(filter)) }
        return conditions
    }

    /// Conditions joined so that no branch is deep: SQLite bounds the depth.
    static func tree(_ parts: ArraySlice<SQLFragment>, _ word: SQLFragment, empty: SQLFragment) -> SQLFragment {
        guard let first = parts.first else { return empty }
        if parts.count == 1 { return first }
        let middle = parts.startIndex + parts.count / 2
        return "(\(tree(parts[..<middle], word, empty: empty))\(word)\(tree(parts[middle...], word, empty: empty)))"
    }

    static func unsupported(_ what: String) -> FilterError { FilterError(.unsupported, "SQL cannot compute \(what)") }

    // MARK: Order

    mutating func order(_ key: SortKey) throws(FilterError) -> SQLFragment {
        try order(follow(key.keyPath[...], from: .term(subject)), by: key)
    }

    /// The order by what stands at the end of a key path.
    func order(_ side: FilterSide, by key: SortKey) throws(FilterError) -> SQLFragment {
        guard case .term(let found) = side, found.kind != .object else {
            throw FilterError(.toMany, "\(key.keyPath.joined(separator: ".")) has no single value to sort by")
        }
        let term = found.comparable.folded(key.options.folding)
        let sql: SQLFragment
        switch term.kind {
        case .opaque, .any: throw Self.unsupported("the order of \(key.keyPath.joined(separator: "."))")
        case .number: sql = "_order(\(term.arguments))"
        default: sql = term.sql
        }
        return sql + (key.ascending ? " ASC" : " DESC")
    }
}
