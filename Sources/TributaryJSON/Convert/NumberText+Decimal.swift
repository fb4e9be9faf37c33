#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension NumberText {
    /// The exact value; nil if it has more than 38 digits, or is too large or too small.
    func decimal() -> Decimal? {
        let parts = parts
        var digits = parts.digits
        var exponent = parts.exponent
        // A Decimal keeps 38 digits and powers of ten from -128 to 127.
        while exponent > 127, digits.count < 38 {
            digits.append(0)
            exponent -= 1
        }
        guard digits.count <= 38, (-128...127).contains(exponent) else { return nil }
        let significand = digits.reduce(Decimal(0)) { $0 * 10 + Decimal(Int($1)) }
        let value = Decimal(sign: parts.isNegative ? .minus : .plus, exponent: exponent, significand: significand)
        return value.isNaN ? nil : value
    }
}
