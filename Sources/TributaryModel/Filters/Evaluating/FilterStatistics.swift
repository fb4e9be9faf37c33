import Foundation

/// The functions over collections.
package struct FilterStatistics {
    private let elements: [FilterResult]

    package init(_ elements: [FilterResult]) { self.elements = elements }

    /// The result of a function.
    ///
    /// Without elements, the count and the sum are 0 and the other results are null.
    package func result(of function: FilterFunction) throws(FilterError) -> FilterResult {
        switch function {
        case .count: return .value(.integer(Int64(elements.count)))
        case .min: return extreme(.orderedAscending)
        case .max: return extreme(.orderedDescending)
        case .mode: return mode
        case .sum: return .value(try sum(numbers()).value)
        case .average:
            let numbers = try numbers()
            let mean = numbers.isEmpty ? nil : Self.mean(sum(numbers), count: numbers.count)
            return mean.map { .value($0.value) } ?? .null
        case .median: return try median()
        default: return try deviation()
        }
    }

    /// The first element in an order, without null and NaN.
    private func extreme(_ order: ComparisonResult) -> FilterResult {
        elements.reduce(.null) { best, element in
            if element.isNull || element.number?.isNaN == true { return best }
            return best.isNull || element.order(to: best) == order ? element : best
        }
    }

    /// The elements as numbers; null counts as 0.
    private func numbers() throws(FilterError) -> [FilterNumber] {
        try elements.map { element throws(FilterError) in
            if element.isNull { return .integer(0) }
            guard let number = element.number else {
                throw FilterError(.operand, "a sum or an average needs numbers")
            }
            return number
        }
    }

    private func sum(_ numbers: [FilterNumber]) -> FilterNumber {
        numbers.reduce(.integer(0)) { $0.applying(.add, $1) ?? $0 }
    }

    /// The mean from the sum of at least one number.
    package static func mean(_ sum: FilterNumber, count: Int) -> FilterNumber? {
        if case .decimal = sum { return sum.applying(.divide, .integer(Int64(count))) }
        return .double(sum.double / Double(count))
    }

    private func median() throws(FilterError) -> FilterResult {
        let numbers = try numbers()
        // NaN has no place in an order.
        if numbers.contains(where: \.isNaN) { return .value(.double(.nan)) }
        let sorted = numbers.sorted { $0.order(to: $1) == .orderedAscending }
        if sorted.isEmpty { return .null }
        let middle = sorted.count / 2
        if sorted.count % 2 == 1 { return .value(sorted[middle].value) }
        return .value(.double((sorted[middle - 1].double + sorted[middle].double) / 2))
    }

    private var mode: FilterResult {
        var (set, counts) = (FilterSet([]), [Int]())
        for element in elements {
            let index = set.insert(element)
            if index == counts.count { counts.append(0) }
            // What equals nothing, such as NaN, does not equal itself.
            if element.equals(element) { counts[index] += 1 }
        }
        let most = counts.max()
        return .collection(zip(set.elements, counts).filter { $1 == most }.map(\.0), isToMany: false)
    }

    private func deviation() throws(FilterError) -> FilterResult {
        let numbers = try numbers().map(\.double)
        if numbers.isEmpty { return .null }
        let mean = numbers.reduce(0, +) / Double(numbers.count)
        let squares = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return .value(.double((squares / Double(numbers.count)).squareRoot()))
    }
}
