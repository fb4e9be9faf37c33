import TributarySQLite

/// An SQL expression with one value.
struct FilterTerm {
    /// The reference date of 2001 in seconds since 1970; columns count from 1970, computed dates from 2001.
    static let epoch = "978307200.0"

    var sql: SQLFragment
    var kind: FilterKind
    /// The value, if it is a constant.
    var constant: FilterValue?
    /// The entity of the object; nil for other kinds.
    var entity: Entity?
    /// The alias of the joined table with the object's row, if there is one.
    var row: String?
    /// Whether the SQL can be repeated without computing the value twice.
    var isSimple = false
    /// Whether it may be null.
    var isNullable = true

    init(_ sql: SQLFragment, _ kind: FilterKind) {
        self.sql = sql
        self.kind = kind
    }

    static let null = FilterTerm(constant: .null, .null, .null)

    init(constant: FilterValue, _ kind: FilterKind, _ value: SQLValue) {
        self.init(SQLFragment(value), kind)
        self.constant = constant
        isSimple = true
        isNullable = kind == .null
    }

    /// An object whose row is in a joined table.
    init(row: String, of entity: Entity, isNullable: Bool = false) {
        self.init("\(identifier: row).\"_pk\"", .object)
        self.row = row
        self.entity = entity
        self.isNullable = isNullable
        isSimple = true
    }

    /// An object by its primary key.
    init(key: SQLFragment, of entity: Entity) {
        self.init(key, .object)
        self.entity = entity
    }

    var isNull: Bool { kind == .null }

    /// The term in the kind that comparisons use: dates count from 2001.
    var comparable: FilterTerm {
        guard kind == .date else { return self }
        var term = self
        term.sql = "(\(sql) - \(SQLFragment(trusted: Self.epoch)))"
        term.kind = .moment
        return term
    }

    /// The kind and the value as two arguments of a function.
    var arguments: SQLFragment { "\(SQLFragment(trusted: kind.literal)), \(sql)" }

    /// The term with its text folded, if it is text.
    func folded(_ folding: FilterOptions) -> FilterTerm {
        guard kind == .string, !folding.isEmpty else { return self }
        if case .string(let text) = constant {
            let text = TextFold.fold(text, options: folding)
            return FilterTerm(constant: .string(text), .string, .text(text))
        }
        var term = FilterTerm("_fold(\(sql), \(SQLFragment(trusted: String(folding.rawValue))))", .string)
        term.isNullable = isNullable
        return term
    }
}
