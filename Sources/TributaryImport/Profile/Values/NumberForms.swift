/// The ways in which numbers at a path are written, which decide the type of a column for all of them.
struct NumberForms: OptionSet, Sendable, Hashable, Codable {
    let rawValue: UInt16

    /// A whole number that a double holds exactly.
    static let integer = NumberForms(rawValue: 1)
    /// A whole number of 64 bits beyond 2^53.
    static let largeInteger = NumberForms(rawValue: 2)
    /// A whole number beyond 64 bits, of at most 38 digits.
    static let hugeInteger = NumberForms(rawValue: 4)
    /// A whole number of more digits.
    static let endlessInteger = NumberForms(rawValue: 8)
    /// A number with a point or an exponent that a double holds, and a decimal number of 38 digits does too.
    static let real = NumberForms(rawValue: 16)
    /// A number that a double holds, but no decimal number.
    static let wideReal = NumberForms(rawValue: 32)
    /// A decimal number that a double only approximates.
    static let decimal = NumberForms(rawValue: 64)
    /// A number that both only approximate.
    static let wideDecimal = NumberForms(rawValue: 128)
    /// A number beyond the range of a double, or so small that a double is 0.
    static let unbounded = NumberForms(rawValue: 256)
    /// -0 or -0.0.
    static let negativeZero = NumberForms(rawValue: 512)
    /// A whole number of 64 bits, written with a point or an exponent, that a double only approximates.
    static let wholeDecimal = NumberForms(rawValue: 1024)

    /// What a double does not hold exactly.
    static let beyondDouble: NumberForms = [.decimal, .wideDecimal, .unbounded, .wholeDecimal]

    /// The forms of most numbers, which need no remark.
    static let usual: UInt16 = integer.rawValue | real.rawValue | wideReal.rawValue | negativeZero.rawValue
}
