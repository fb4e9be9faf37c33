import TributarySQLite

/// An SQL aggregate function with the results of ``FilterStatistics`` for the same elements in the same order.
///
/// The arguments are the kind of a value, then the value. SQLite's own SUM and AVG skip null, do not support decimals,
/// and fail on integer overflow.
final class FetchAggregate: SQLAggregate {
    private let function: FilterFunction
    private var count = 0
    private var sum = FilterNumber.integer(0)
    private var extreme = FilterResult.null
    /// The elements, for functions that need all of them at once.
    private var elements: [FilterResult] = []

    init(_ function: FilterFunction) { self.function = function }

    /// The names of the functions in SQL.
    static let names: [FilterFunction: String] = [
        .sum: "_sum", .average: "_average", .min: "_minimum", .max: "_maximum", .median: "_median", .stddev: "_stddev",
    ]

    /// Defines the functions on a connection.
    static func define(on connection: Connection) throws {
        for (function, name) in names {
            try connection.defineAggregate(name, argumentCount: 2) { FetchAggregate(function) }
        }
    }

    func add(_ arguments: SQLArguments) throws {
        let value = FilterFunctions.value(arguments, 0)
        count += 1
        switch function {
        case .sum, .average:
            // Null counts as 0, as in memory.
            guard let number = value.isNull ? .integer(0) : FilterNumber(value) else {
                throw FilterError(.operand, "a sum or an average needs numbers")
            }
            sum = sum.applying(.add, number) ?? sum
        case .min, .max: extreme = try FilterStatistics([extreme, .value(value)]).result(of: function)
        default: elements.append(.value(value))
        }
    }

    func result() throws -> SQLValue {
        let result: FilterResult
        switch function {
        case .sum: result = .value(sum.value)
        case .average:
            result = count == 0 ? .null : FilterStatistics.mean(sum, count: count).map { .value($0.value) } ?? .null
        case .min, .max: result = extreme
        default: result = try FilterStatistics(elements).result(of: function)
        }
        return FilterFunctions.encoded(result)
    }
}
