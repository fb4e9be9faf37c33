import Foundation

extension FilterEvaluator {
    /// The result of a function for its arguments.
    package func call(_ function: FilterFunction, _ arguments: [FilterResult]) throws(FilterError) -> FilterResult {
        switch function {
        case .sum, .count, .min, .max, .average, .median, .mode, .stddev:
            // Several arguments are the elements themselves.
            let elements = arguments.count == 1 ? arguments[0].elements : arguments
            return try FilterStatistics(elements).result(of: function)
        case .now: return .value(.date(now))
        case .random: return .value(.double(Double.random(in: 0..<1)))
        default: break
        }
        guard let argument = arguments.first, !argument.isNull else { return .null }
        switch function {
        case .noindex: return argument
        case .uppercase, .lowercase, .canonical, .length: return try text(function, argument)
        default: return try number(function, argument)
        }
    }

    private func text(_ function: FilterFunction, _ argument: FilterResult) throws(FilterError) -> FilterResult {
        guard let text = argument.string else {
            throw FilterError(.operand, "\(function.rawValue) needs a text")
        }
        switch function {
        case .uppercase: return .value(.string(text.uppercased()))
        case .lowercase: return .value(.string(text.lowercased()))
        case .length: return .value(.integer(Int64(text.unicodeScalars.count)))
        default:
            return .value(.string(TextFold.fold(text, options: [.caseInsensitive, .diacriticInsensitive])))
        }
    }

    private func number(_ function: FilterFunction, _ argument: FilterResult) throws(FilterError) -> FilterResult {
        guard let number = argument.number else {
            throw FilterError(.operand, "\(function.rawValue) needs a number")
        }
        let double = number.double
        let result: FilterNumber? =
            switch function {
            case .sqrt: .double(double.squareRoot())
            case .log: .double(log10(double))
            case .ln: .double(log(double))
            case .exp: .double(exp(double))
            case .floor: number.rounded(.down)
            case .ceiling: number.rounded(.up)
            case .trunc: number.rounded(.towardZero)
            case .abs: number.order(to: .integer(0)) == .orderedAscending ? number.negated : number
            case .randomn: number.truncated.map { .integer($0 > 0 ? Int64.random(in: 0..<$0) : 0) }
            case .onesComplement: number.whole.map { .integer(~$0) }
            default: nil
            }
        return result.map { .value($0.value) } ?? .null
    }
}

extension FilterNumber {
    fileprivate func rounded(_ rule: FloatingPointRoundingRule) -> FilterNumber {
        switch self {
        case .integer: return self
        case .double(let number): return .double(number.rounded(rule))
        case .decimal(let number):
            var source = number
            var result = Decimal()
            let mode: NSDecimalNumber.RoundingMode =
                switch rule {
                case .down: .down
                case .up: .up
                default: number < 0 ? .up : .down
                }
            NSDecimalRound(&result, &source, 0, mode)
            return .decimal(result)
        }
    }
}
