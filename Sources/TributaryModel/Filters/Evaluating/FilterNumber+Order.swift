package import Foundation

extension FilterNumber {
    /// The order of two numbers by exact value; nil if one is NaN.
    package func order(to other: FilterNumber) -> ComparisonResult? {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): return Self.order(left, right)
        case (.double(let left), .double(let right)):
            return left.isNaN || right.isNaN ? nil : Self.order(left, right)
        case (.integer(let left), .double(let right)): return Self.order(left, right)
        case (.double(let left), .integer(let right)): return Self.order(right, left)?.reversed
        default:
            if case .decimal(let number) = self, number.isNaN { return nil }
            if case .decimal(let number) = other, number.isNaN { return nil }
            if let left = asDecimal, let right = other.asDecimal { return Self.order(left, right) }
            // Outside the range of decimals, floating point numbers are exact enough to compare.
            let (left, right) = (double, other.double)
            return left.isNaN || right.isNaN ? nil : Self.order(left, right)
        }
    }

    private static func order<Number: Comparable>(_ left: Number, _ right: Number) -> ComparisonResult {
        left == right ? .orderedSame : left < right ? .orderedAscending : .orderedDescending
    }

    private static func order(_ left: Int64, _ right: Double) -> ComparisonResult? {
        if right.isNaN { return nil }
        if right >= 0x1p63 { return .orderedAscending }
        if right < -0x1p63 { return .orderedDescending }
        let whole = right.rounded(.towardZero)
        let result = order(left, Int64(whole))
        return result == .orderedSame ? order(whole, right) : result
    }
}

extension ComparisonResult {
    /// The order of the same two values the other way round.
    var reversed: ComparisonResult { ComparisonResult(rawValue: -rawValue) ?? self }
}
