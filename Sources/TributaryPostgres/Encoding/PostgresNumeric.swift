import TributaryJSON

/// A decimal number as PostgreSQL's `numeric` has it: digits of base 10,000.
struct PostgresNumeric {
    /// The digits before the point, without leading zeros.
    private let whole: ArraySlice<UInt8>
    /// The digits after the point, without trailing zeros.
    private let fraction: ArraySlice<UInt8>
    private let isNegative: Bool

    /// The number that a text has, as in `-12.50` or `1e-7`; nil if it is none, or has more than 1,000 digits.
    init?(_ text: String) {
        guard let parts = NumberLiteral(text)?.parts, parts.digits.count <= 1000, abs(parts.exponent) <= 1000 else {
            return nil
        }
        let place = parts.digits.count + parts.exponent
        let digits =
            Array(repeating: 0, count: max(0, -place)) + parts.digits
            + repeatElement(0, count: max(0, parts.exponent))
        (whole, fraction) = (digits[..<max(0, place)], digits[max(0, place)...])
        isNegative = parts.isNegative && !digits.isEmpty
    }

    /// The number of digits before the point.
    var wholeDigits: Int { whole.count }
    /// The number of digits after the point.
    var fractionDigits: Int { fraction.count }

    /// The value in the binary format.
    var words: [Int16] {
        var groups: [Int16] = []
        var digits = Array(repeating: 0 as UInt8, count: (4 - whole.count % 4) % 4) + whole
        var weight = digits.count / 4 - 1
        digits += fraction
        digits += Array(repeating: 0, count: (4 - digits.count % 4) % 4)
        for start in stride(from: 0, to: digits.count, by: 4) {
            groups.append(digits[start..<start + 4].reduce(0) { $0 * 10 + Int16($1) })
        }
        while groups.first == 0 {
            groups.removeFirst()
            weight -= 1
        }
        while groups.last == 0 { groups.removeLast() }
        if groups.isEmpty { weight = 0 }
        return [Int16(groups.count), Int16(weight), isNegative ? 0x4000 : 0, Int16(fraction.count)] + groups
    }
}
