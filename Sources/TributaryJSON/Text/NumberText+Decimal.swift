import Foundation

extension NumberText {
    /// The exact value; nil if it has more than 38 digits, or is too large or too small.
    func decimal() -> Decimal? {
        guard let parts = decimalParts else { return nil }
        var significand = Decimal(0)
        var rest = parts.digits[...]
        while !rest.isEmpty {
            // Each step of Foundation is slow, so 18 digits, which fit into a machine word, are added at once.
            let some = rest.prefix(18)
            let value = Decimal(some.reduce(UInt64(0)) { $0 * 10 + UInt64($1) })
            significand =
                significand.isZero
                ? value : significand * Decimal(sign: .plus, exponent: some.count, significand: 1) + value
            rest = rest.dropFirst(18)
        }
        return Decimal(sign: parts.isNegative ? .minus : .plus, exponent: parts.exponent, significand: significand)
    }

    /// The parts; nil if `Decimal`, with 38 digits and exponents from -128 to 127, cannot hold them exactly.
    var decimalParts: Parts? {
        let parts = parts
        return parts.digits.count <= 38 && (-128...127).contains(parts.exponent) ? parts : nil
    }
}
