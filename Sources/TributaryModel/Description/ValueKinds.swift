/// The kinds of values that an inferred column has had, which decide its declared type.
package struct ValueKinds: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A whole number that a double holds exactly.
    package static let integer = ValueKinds(rawValue: 1)
    /// A whole number beyond 2^53.
    package static let largeInteger = ValueKinds(rawValue: 2)
    /// A number with a fraction.
    package static let real = ValueKinds(rawValue: 4)
    /// The number -0.0, whose sign a column of numbers would lose.
    package static let negativeZero = ValueKinds(rawValue: 8)
    /// Text, also that of nested JSON.
    package static let text = ValueKinds(rawValue: 16)

    /// All kinds, as in a column whose values are unknown.
    package static let all: ValueKinds = [.integer, .largeInteger, .real, .negativeZero, .text]

    /// Whether no declared type suits all values.
    package var isMixed: Bool {
        if contains(.negativeZero) { return true }
        if contains(.text) { return self != .text }
        return isSuperset(of: [.largeInteger, .real])
    }

    /// Whether columns of both kinds have the same declared type.
    package func hasSameStorage(_ other: ValueKinds) -> Bool {
        if isEmpty || isMixed { return other.isEmpty || other.isMixed }
        if other.isEmpty || other.isMixed { return false }
        return contains(.text) == other.contains(.text) && contains(.real) == other.contains(.real)
    }
}
