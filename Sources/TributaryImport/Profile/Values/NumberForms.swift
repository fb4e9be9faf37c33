import TributaryModel

/// The ways in which numbers at a path are written, which decide the type of a column for all of them.
package struct NumberForms: OptionSet, Sendable, Hashable, Codable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// A whole number that a double holds exactly.
    package static let integer = NumberForms(rawValue: 1)
    /// A whole number of 64 bits beyond 2^53.
    package static let largeInteger = NumberForms(rawValue: 2)
    /// A whole number beyond 64 bits, of at most 38 digits.
    package static let hugeInteger = NumberForms(rawValue: 4)
    /// A whole number of more digits.
    package static let endlessInteger = NumberForms(rawValue: 8)
    /// A number with a point or an exponent that a double holds, and a decimal number of 38 digits does too.
    package static let real = NumberForms(rawValue: 16)
    /// A number that a double holds, but no decimal number.
    package static let wideReal = NumberForms(rawValue: 32)
    /// A decimal number that a double only approximates.
    package static let decimal = NumberForms(rawValue: 64)
    /// A number that both only approximate.
    package static let wideDecimal = NumberForms(rawValue: 128)
    /// A number beyond the range of a double, or so small that a double is 0.
    package static let unbounded = NumberForms(rawValue: 256)
    /// -0 or -0.0.
    package static let negativeZero = NumberForms(rawValue: 512)
    /// A whole number of 64 bits, written with a point or an exponent, that a double only approximates.
    package static let wholeDecimal = NumberForms(rawValue: 1024)

    /// What a double does not hold exactly.
    static let beyondDouble: NumberForms = [.decimal, .wideDecimal, .unbounded, .wholeDecimal]

    /// Numbers that cannot be keys, since they may have more than 400 digits when they are written out.
    static let noKeys: NumberForms = [.endlessInteger, .unbounded]

    /// The forms of most numbers, which need no remark.
    static let usual: UInt16 = integer.rawValue | real.rawValue | wideReal.rawValue | negativeZero.rawValue

    /// The kinds of the values as a column without a model stores them when it never rounds.
    var kinds: ValueKinds {
        var kinds: ValueKinds = []
        if contains(.integer) { kinds.insert(.integer) }
        if !isDisjoint(with: [.largeInteger, .wholeDecimal]) { kinds.insert(.largeInteger) }
        if !isDisjoint(with: [.real, .wideReal]) { kinds.insert(.real) }
        if contains(.negativeZero) { kinds.insert(.negativeZero) }
        let others: NumberForms = [.hugeInteger, .endlessInteger, .decimal, .wideDecimal, .unbounded]
        if !isDisjoint(with: others) { kinds.insert(.text) }
        return kinds
    }
}
