import TributarySQLite

/// Translates one filter to SQL with the same results as the evaluation in memory, with a new alias for each table.
///
/// The SQL calls functions that ``FilterFunctions`` defines. Values are bound. Expressions that SQL cannot compute
/// throw before anything is executed: transient properties, elements by index, set operations, random numbers.
struct FilterTranslator {
    /// The alias of the table of the subject, unless the caller gives another.
    static let subjectAlias = "_o"

    let schema: Schema
    let subject: FilterTerm
    /// The values of the variables of the enclosing SUBQUERYs.
    var variables: [String: FilterTerm] = [:]
    private var aliasCount = 0

    /// The limit for the SQL of a comparison in bytes.
    private static let sqlByteLimit = 4 << 20

    /// A translator for filters of an entity, whose table has an alias.
    init(_ schema: Schema, _ entity: Entity, alias: String = FilterTranslator.subjectAlias) {
        self.schema = schema
        subject = FilterTerm(row: alias, of: entity)
    }

    /// A new alias for a table.
    mutating func alias() -> String {
        aliasCount += 1
        return "_\(aliasCount)"
    }

    mutating func condition(_ filter: Filter) throws(FilterError) -> SQLFragment {
        switch filter.form {
        case .always: return "1"
        case .never: return "0"
        case .malformed(let error): throw error
        case .comparison(let comparison):
            let sql: SQLFragment = try condition(comparison)
            // Some operands are repeated in the SQL, so nested ones could grow without bound.
            if sql.text.utf8.count > Self.sqlByteLimit {
                throw Self.unsupported("a comparison of more than \(Self.sqlByteLimit) bytes of SQL")
            }
            return sql
        case .not(let filter): return "(NOT \(try condition(filter)))"
        case .and(let filters): return Self.tree(try conditions(filters)[...], " AND ", empty: "1")
        case .or(let filters): return Self.tree(try conditions(filters)[...], " OR ", empty: "0")
        }
    }

    private mutating func conditions(_ filters: [Filter]) throws(FilterError) -> [SQLFragment] {
        try filters.map { filter throws(FilterError) in try condition(filter) }
    }

    /// The conditions joined as a balanced tree, because SQLite limits the depth of expressions.
    static func tree(_ parts: ArraySlice<SQLFragment>, _ word: SQLFragment, empty: SQLFragment) -> SQLFragment {
        guard let first = parts.first else { return empty }
        if parts.count == 1 { return first }
        let middle = parts.startIndex + parts.count / 2
        return "(\(tree(parts[..<middle], word, empty: empty))\(word)\(tree(parts[middle...], word, empty: empty)))"
    }

    static func unsupported(_ what: String) -> FilterError { FilterError(.unsupported, "SQL cannot compute \(what)") }

    // MARK: Order

    /// The ORDER BY term for the value of a sort key.
    func order(_ side: FilterSide, by key: SortKey) throws(FilterError) -> SQLFragment {
        guard case .term(let value) = side, value.kind != .object else {
            throw FilterError(.toMany, "\(key.keyPath.joined(separator: ".")) has no single value to sort by")
        }
        let term = value.comparable.folded(key.options.folding)
        let sql: SQLFragment
        switch term.kind {
        case .opaque, .any: throw Self.unsupported("the order of \(key.keyPath.joined(separator: "."))")
        case .number: sql = "_order(\(term.arguments))"
        default: sql = term.sql
        }
        return sql + (key.ascending ? " ASC" : " DESC")
    }
}
