public import Foundation

/// The value as Swift types; nil for a value of another type, and for a text that is not valid JSON.
extension JSONText {
    /// Whether it is null.
    public var isNull: Bool { text == "null" }

    /// True or false.
    public var bool: Bool? { text == "true" ? true : text == "false" ? false : nil }

    /// The text of the number.
    public var numberText: String? {
        guard let first = text.utf8.first, first == UInt8(ascii: "-") || 48...57 ~= first else { return nil }
        return text
    }

    /// The number as an integer, if it is one and fits in 64 bits.
    public var integer: Int64? { numberText.flatMap(Int64.init) ?? decimal.flatMap { Int64("\($0)") } }

    /// The nearest floating point number; nil outside the range of `Double`.
    public var double: Double? { numberText.flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil } }

    /// The number as a decimal, if it can be represented exactly.
    public var decimal: Decimal? {
        guard let numberText, let parts = Self.parts(of: numberText), parts.digits.count <= 38,
            let exponent = parts.exponent,
            let value = Decimal(string: numberText), !value.isNaN
        else { return nil }
        return -128...127 ~= exponent ? value : parts.digits.isEmpty ? 0 : nil
    }

    /// The significant digits of a number as an integer, and the exponent of its power of ten.
    private static func parts(of number: String) -> (digits: Substring, exponent: Int?)? {
        let halves = number.lowercased().split(separator: "e", maxSplits: 1)
        guard let mantissa = halves.first else { return nil }
        let sides = mantissa.drop { $0 == "-" }.split(separator: ".", maxSplits: 1)
        let fraction = sides.count > 1 ? sides[1] : ""
        var digits = (sides.first.map(String.init) ?? "") + fraction
        digits = String(digits.drop { $0 == "0" })
        let length = digits.count
        while digits.last == "0" { digits.removeLast() }
        let power = halves.count > 1 ? Int(halves[1]) : 0
        return (digits[...], power.map { max(-100_000, min(100_000, $0)) - fraction.count + length - digits.count })
    }

    /// The text of a string without quotes and escapes; nil if it has an unpaired surrogate.
    public var string: String? {
        guard text.utf8.first == UInt8(ascii: "\"") else { return nil }
        // Scalars, because a combining mark after the quote forms one character with it.
        let content = text.unicodeScalars.dropFirst().dropLast()
        return content.contains("\\") ? try? decode() : String(content)
    }
}
