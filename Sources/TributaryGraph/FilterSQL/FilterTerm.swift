import Foundation
import TributarySQLite

/// A piece of SQL with one value.
struct FilterTerm {
    /// Dates of columns count from 1970, those of memory from 2001.
    static let epoch = "978307200.0"

    var sql: SQLFragment
    var kind: FilterKind
    /// The value, if it is known.
    var constant: FilterValue?
    /// What the object is; for objects alone.
    var entity: Entity?
    /// The table in which the object's row stands at hand.
    var row: String?
    /// Whether it may be named twice without being computed twice.
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

    /// An object whose row stands at hand.
    init(row: String, of entity: Entity, isNullable: Bool = false) {
        self.init("\(identifier: row).\"_pk\"", .object)
        self.row = row
        self.entity = entity
        self.isNullable = isNullable
        isSimple = true
    }

    /// An object by its key.
    init(key: SQLFragment, of entity: Entity) {
        self.init(key, .object)
        self.entity = entity
    }

    var isNull: Bool { kind == .null }

    /// The term in the kind in which it is compared.
    var comparable: FilterTerm {
        guard kind == .date else { return self }
        var term = self
        term.sql = "(\(sql) - \(SQLFragment(trusted: Self.epoch)))"
        term.kind = .moment
        return term
    }

    /// The kind and the value, as arguments of a function.
    var arguments: SQLFragment { "\(SQLFragment(trusted: kind.literal)), \(sql)" }

    /// The text with less to tell apart.
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
