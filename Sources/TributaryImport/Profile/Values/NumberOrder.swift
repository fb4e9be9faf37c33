import TributaryJSON

/// Compares numbers digit by digit.
enum NumberOrder {
    /// Whether a number comes before another one; of equal ones, whether its text is the shorter or the lower one, so that
    /// one of them is chosen whatever comes first.
    static func isLess(_ one: UnsafeBufferPointer<UInt8>, _ other: String) -> Bool {
        guard !other.utf8.elementsEqual(one) else { return false }
        return isLess(String(decoding: one, as: UTF8.self), other)
    }

    static func isLess(_ one: String, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !one.utf8.elementsEqual(other) else { return false }
        return isLess(one, String(decoding: other, as: UTF8.self))
    }

    static func isLess(_ one: String, _ other: String) -> Bool {
        guard let left = NumberLiteral(one)?.parts, let right = NumberLiteral(other)?.parts else {
            return one < other
        }
        let order = compare(left, right)
        return order != 0 ? order < 0 : (one.utf8.count, one) < (other.utf8.count, other)
    }

    /// Whether a number is lower than another one, however both are written.
    static func isBelow(_ one: String, _ other: String) -> Bool {
        guard let left = NumberLiteral(one)?.parts, let right = NumberLiteral(other)?.parts else { return false }
        return compare(left, right) < 0
    }

    private typealias Parts = (isNegative: Bool, digits: [UInt8], exponent: Int)

    private static func compare(_ one: Parts, _ other: Parts) -> Int {
        let signs = (sign(one), sign(other))
        guard signs.0 == signs.1, signs.0 != 0 else { return signs.0 - signs.1 }
        return signs.0 * compareMagnitudes(one, other)
    }

    private static func sign(_ parts: Parts) -> Int { parts.digits.isEmpty ? 0 : parts.isNegative ? -1 : 1 }

    private static func compareMagnitudes(_ one: Parts, _ other: Parts) -> Int {
        let places = (one.digits.count + one.exponent, other.digits.count + other.exponent)
        if places.0 != places.1 { return places.0 < places.1 ? -1 : 1 }
        for index in 0..<max(one.digits.count, other.digits.count) {
            let left = index < one.digits.count ? one.digits[index] : 0
            let right = index < other.digits.count ? other.digits[index] : 0
            if left != right { return left < right ? -1 : 1 }
        }
        return 0
    }
}
