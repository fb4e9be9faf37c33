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
    /// A number that neither 64 bits nor a double holds.
    static let decimal = ColumnKinds(rawValue: 16)
    static let text = ColumnKinds(rawValue: 32)
    /// An object or an array.
    static let nested = ColumnKinds(rawValue: 64)

    /// The type that holds all of them as they are: one of JSON if they have nothing else in common.
    var type: AttributeType {
        if isEmpty || self == .text { return .string }
        if self == .boolean { return .boolean }
        let numbers: ColumnKinds = [.integer, .largeInteger, .real, .decimal]
        guard numbers.isSuperset(of: self) else { return .json }
        if contains(.decimal) || isSuperset(of: [.largeInteger, .real]) { return .decimal }
        return contains(.real) ? .double : .integer64
    }

    /// The kinds that a column of a type holds; nil if a conversion is needed that only the server knows.
    init?(_ type: PostgresType) {
        switch type.form {
        case .boolean: self = .boolean
        case .int64: self = [.integer, .largeInteger]
        case .float64: self = [.integer, .real]
        case .numeric(precision: nil, scale: _): self = [.integer, .largeInteger, .real, .decimal]
        case .text(limit: nil): self = .text
        case .json, .jsonb: self = [.boolean, .integer, .largeInteger, .real, .decimal, .text, .nested]
        default: return nil
        }
    }
}
