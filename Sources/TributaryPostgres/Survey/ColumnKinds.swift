import TributaryImport
import TributaryModel

/// The kinds of values that a column must hold.
struct ColumnKinds: OptionSet, Sendable, Hashable {
    let rawValue: UInt8

    init(rawValue: UInt8) { self.rawValue = rawValue }

    static let boolean = ColumnKinds(rawValue: 1)
    /// A whole number that a double holds exactly.
    static let integer = ColumnKinds(rawValue: 2)
    /// A whole number of 64 bits beyond 2^53.
    static let largeInteger = ColumnKinds(rawValue: 4)
    /// A number that a double holds, or that may be rounded to one.
    static let real = ColumnKinds(rawValue: 8)
    /// A decimal number that neither 64 bits nor a double holds.
    static let decimal = ColumnKinds(rawValue: 16)
    static let text = ColumnKinds(rawValue: 32)
    /// An object or an array, or a number that only JSON holds.
    static let nested = ColumnKinds(rawValue: 64)
    /// A number as `real`, but with an exponent or digits that no decimal number has.
    static let wide = ColumnKinds(rawValue: 128)

    /// The type that holds all of them as they are: one of JSON if they have nothing else in common.
    var type: AttributeType {
        if isEmpty || self == .text { return .string }
        if self == .boolean { return .boolean }
        let numbers: ColumnKinds = [.integer, .largeInteger, .real, .wide, .decimal]
        guard numbers.isSuperset(of: self) else { return .json }
        let isReal = !isDisjoint(with: [.real, .wide])
        guard contains(.decimal) || isReal && contains(.largeInteger) else { return isReal ? .double : .integer64 }
        return contains(.wide) ? .json : .decimal
    }

    /// The kinds of the values that a profile has at a path, objects aside; with `isExact` no number may be rounded.
    init(_ profile: PathProfile, isExact: Bool) {
        self = []
        if profile[.yes].count + profile[.no].count > 0 { insert(.boolean) }
        if profile[.text].count > 0 { insert(.text) }
        if profile[.array].count > 0 { insert(.nested) }
        let forms = profile.forms
        let rounded: [NumberForms: ColumnKinds] = [.decimal: .real, .wideDecimal: .wide, .wholeDecimal: .real]
        let exact: [NumberForms: ColumnKinds] = [.decimal: .decimal, .wideDecimal: .nested, .wholeDecimal: .decimal]
        let kinds: [NumberForms: ColumnKinds] = [
            .integer: .integer, .largeInteger: .largeInteger, .hugeInteger: .decimal, .endlessInteger: .nested,
            .real: .real, .wideReal: .wide, .unbounded: .nested, .negativeZero: .real,
        ]
        for (form, kind) in kinds.merging(isExact ? exact : rounded, uniquingKeysWith: { one, _ in one })
        where forms.contains(form) {
            insert(kind)
        }
    }

    /// The kinds that a column of a type holds; nil if a conversion is needed that only the server knows.
    init?(_ type: PostgresType) {
        switch type.form {
        case .boolean: self = .boolean
        case .int64: self = [.integer, .largeInteger]
        case .float64: self = [.integer, .real, .wide]
        case .numeric(precision: nil, scale: _): self = [.integer, .largeInteger, .real, .decimal]
        case .text(limit: nil): self = .text
        case .json, .jsonb: self = [.boolean, .integer, .largeInteger, .real, .wide, .decimal, .text, .nested]
        default: return nil
        }
    }
}
