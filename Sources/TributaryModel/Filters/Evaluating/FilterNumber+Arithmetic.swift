import Foundation

extension FilterNumber {
    /// The result of an operation; nil if it is undefined, such as a division by zero or the bits of a fraction.
    ///
    /// Integers have integer results, or floating point numbers on overflow. Decimals stay exact if possible.
    package func applying(_ operation: FilterOperation, _ other: FilterNumber) -> FilterNumber? {
        switch operation {
        case .bitAnd, .bitOr, .bitXor, .shiftLeft, .shiftRight:
            guard let left = whole, let right = other.whole else { return nil }
            return .integer(Self.bits(operation, left, right))
        case .power: return power(other)
        default: break
        }
        switch (self, other) {
        case (.integer(let left), .integer(let right)): return Self.integers(operation, left, right)
        case (.decimal, _), (_, .decimal):
            guard let left = asDecimal, let right = other.asDecimal else { fallthrough }
            return Self.decimals(operation, left, right)
        default: return Self.doubles(operation, double, other.double)
        }
    }

    /// The number as an integer, if it has no fraction.
    package var whole: Int64? {
        switch self {
        case .integer(let number): number
        case .double(let number): Int64(exactly: number)
        case .decimal(let number): Int64("\(number)")
        }
    }

    private static func bits(_ operation: FilterOperation, _ left: Int64, _ right: Int64) -> Int64 {
        switch operation {
        case .bitAnd: left & right
        case .bitOr: left | right
        case .bitXor: left ^ right
        case .shiftLeft: left << right
        default: left >> right
        }
    }

    private static func integers(_ operation: FilterOperation, _ left: Int64, _ right: Int64) -> FilterNumber? {
        let (result, overflow): (Int64, Bool)
        switch operation {
        case .add: (result, overflow) = left.addingReportingOverflow(right)
        case .subtract: (result, overflow) = left.subtractingReportingOverflow(right)
        case .multiply: (result, overflow) = left.multipliedReportingOverflow(by: right)
        case .divide where right != 0: (result, overflow) = left.dividedReportingOverflow(by: right)
        case .modulus where right != 0: return .integer(right == -1 ? 0 : left % right)
        default: return nil
        }
        return overflow ? doubles(operation, Double(left), Double(right)) : .integer(result)
    }

    private static func doubles(_ operation: FilterOperation, _ left: Double, _ right: Double) -> FilterNumber? {
        switch operation {
        case .add: .double(left + right)
        case .subtract: .double(left - right)
        case .multiply: .double(left * right)
        case .divide where right != 0: .double(left / right)
        case .modulus where right != 0: .double(left.truncatingRemainder(dividingBy: right))
        default: nil
        }
    }

    private static func decimals(_ operation: FilterOperation, _ left: Decimal, _ right: Decimal) -> FilterNumber? {
        switch operation {
        case .add: return .decimal(left + right)
        case .subtract: return .decimal(left - right)
        case .multiply: return .decimal(left * right)
        case .divide where right != 0: return .decimal(left / right)
        case .modulus where right != 0:
            var quotient = left / right
            var cut = Decimal()
            NSDecimalRound(&cut, &quotient, 0, quotient < 0 ? .up : .down)
            return .decimal(left - cut * right)
        default: return nil
        }
    }

    private func power(_ other: FilterNumber) -> FilterNumber {
        if case .integer(let base) = self, case .integer(let exponent) = other, (0...64).contains(exponent) {
            var result: Int64 = 1
            var overflows = false
            for _ in 0..<exponent where !overflows {
                (result, overflows) = result.multipliedReportingOverflow(by: base)
            }
            if !overflows { return .integer(result) }
        }
        return .double(pow(double, other.double))
    }
}
