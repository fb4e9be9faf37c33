import Foundation
import TributaryModel

/// Aggregates of values, by rules of its own: null is counted, and is 0 in sums.
enum QueryStatistics {
    static func result(of function: FilterFunction, _ values: [FilterValue]) throws -> FilterValue {
        switch function {
        case .count: return .integer(Int64(values.count))
        case .min, .max:
            return values.reduce(.null) { best, value in
                if value == .null || isNaN(value) { return best }
                if best == .null { return value }
                let order = QueryOrder.compare(value, best)
                return function == .min ? (order < 0 ? value : best) : (order > 0 ? value : best)
            }
        default: break
        }
        let numbers = try values.map { value -> FilterValue in
            switch value {
            case .null: return .integer(0)
            case .boolean(let flag): return .integer(flag ? 1 : 0)
            case .integer, .double, .decimal: return value
            default: throw FilterError(.operand, "not a number")
            }
        }
        switch function {
        case .sum: return sum(numbers)
        case .average: return numbers.isEmpty ? .null : mean(sum(numbers), numbers.count)
        case .median where numbers.contains(where: isNaN): return .double(.nan)
        case .median:
            let sorted = numbers.sorted { QueryOrder.compare($0, $1) < 0 }
            guard !sorted.isEmpty else { return .null }
            let middle = sorted.count / 2
            if sorted.count % 2 == 1 { return sorted[middle] }
            return .double((QueryOrder.double(sorted[middle - 1]) + QueryOrder.double(sorted[middle])) / 2)
        default:
            guard !numbers.isEmpty else { return .null }
            let all = numbers.map(QueryOrder.double)
            let mean = all.reduce(0, +) / Double(all.count)
            let squares = all.map { ($0 - mean) * ($0 - mean) }.reduce(0, +)
            return .double((squares / Double(all.count)).squareRoot())
        }
    }

    private static func isNaN(_ value: FilterValue) -> Bool {
        switch value {
        case .double(let number): number.isNaN
        case .decimal(let number): number.isNaN
        default: false
        }
    }

    private static func sum(_ numbers: [FilterValue]) -> FilterValue {
        numbers.reduce(.integer(0)) { total, number in
            switch (total, number) {
            case (.integer(let one), .integer(let two)):
                let (result, overflows) = one.addingReportingOverflow(two)
                return overflows ? .double(Double(one) + Double(two)) : .integer(result)
            case (.decimal, _), (_, .decimal):
                guard let one = decimal(total), let two = decimal(number) else {
                    return .double(QueryOrder.double(total) + QueryOrder.double(number))
                }
                return .decimal(one + two)
            default: return .double(QueryOrder.double(total) + QueryOrder.double(number))
            }
        }
    }

    private static func mean(_ sum: FilterValue, _ count: Int) -> FilterValue {
        if case .decimal(let number) = sum { return .decimal(number / Decimal(count)) }
        return .double(QueryOrder.double(sum) / Double(count))
    }

    private static func decimal(_ value: FilterValue) -> Decimal? {
        switch value {
        case .integer(let number): return Decimal(number)
        case .decimal(let number): return number
        case .double(let number):
            guard number.isFinite else { return nil }
            if let whole = Int64(exactly: number) { return Decimal(whole) }
            return number.magnitude < 1e100 && number.magnitude > 1e-100 ? Decimal(string: "\(number)") : nil
        default: return nil
        }
    }
}
