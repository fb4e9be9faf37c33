import TributaryTestSupport
import Foundation
import TributaryGraph

/// Makes random filters of all kinds.
struct FilterTrees {
    var random: SeededGenerator

    private static let names = [
        "a", "b", "name", "size", "FIRST", "and", "in", "@count", "odd name", "a.b", "", "été", "e\u{301}", "\"q\"",
        "1x",
        "@x y", "UNION", "count", "self", "\u{1F600}", "a\u{0}b", "#", "$",
    ]

    mutating func filter(depth: Int) -> Filter {
        guard depth > 0 else { return random.pick([.always, .never, comparison(depth: 0), comparison(depth: 0)]) }
        switch random.below(8) {
        case 0: return .and(filters(depth: depth - 1))
        case 1: return .or(filters(depth: depth - 1))
        case 2: return .not(filter(depth: depth - 1))
        default: return comparison(depth: depth)
        }
    }

    private mutating func filters(depth: Int) -> [Filter] {
        (0..<(2 + random.below(3))).map { _ in filter(depth: depth) }
    }

    private mutating func comparison(depth: Int) -> Filter {
        Filter(
            expression(depth: depth), random.pick(FilterOperator.allCases), expression(depth: depth),
            options: FilterOptions(rawValue: random.below(16)), modifier: random.pick([.direct, .direct, .any, .all]))
    }

    private mutating func keys() -> [String] { (0..<(1 + random.below(3))).map { _ in random.pick(Self.names) } }

    private mutating func list(depth: Int) -> [FilterExpression] {
        (0..<random.below(4)).map { _ in expression(depth: depth) }
    }

    private mutating func expression(depth: Int) -> FilterExpression {
        guard depth > 0 else {
            switch random.below(6) {
            case 0: return .subject
            case 1: return .variable(random.pick(Self.names))
            case 2, 3: return .keyPath(keys())
            default: return .constant(value(depth: 1))
            }
        }
        let depth = depth - 1
        switch random.below(14) {
        case 0: return .path(expression(depth: depth), keys())
        case 1: return .aggregate(list(depth: depth))
        case 2: return .negation(expression(depth: depth))
        case 3, 4, 5:
            return .operation(
                random.pick(FilterOperation.allCases), expression(depth: depth), expression(depth: depth))
        case 6:
            let function = random.pick(FilterFunction.allCases)
            let count = function.arguments.lowerBound
            let more = function.arguments.upperBound > count ? random.below(3) : 0
            return .function(function, (0..<(count + more)).map { _ in expression(depth: depth) })
        case 7:
            return .subquery(
                expression(depth: depth), variable: random.pick(Self.names), filter(depth: depth))
        case 8: return .ternary(filter(depth: depth), expression(depth: depth), expression(depth: depth))
        case 9: return .cast(expression(depth: depth), random.pick(FilterCast.allCases))
        case 10: return .element(expression(depth: depth), random.pick([.first, .last, .size]))
        case 11: return .element(expression(depth: depth), .at(expression(depth: depth)))
        default: return expression(depth: 0)
        }
    }

    private mutating func value(depth: Int) -> FilterValue {
        switch random.below(depth > 0 ? 12 : 11) {
        case 0: return .null
        case 1: return .integer(Int64(truncatingIfNeeded: random.next()))
        case 2: return .integer(random.pick([0, 1, -1, .max, .min]))
        case 3:
            let double = Double(bitPattern: random.next())
            return .double(double.isNaN ? .nan : double)
        case 4:
            return .double(random.pick([0, -0.0, 1, -1.5, .infinity, -.infinity, .nan, 1e20, .leastNonzeroMagnitude]))
        case 5:
            let number = Decimal(Int64(truncatingIfNeeded: random.next()))
            return .decimal(random.pick([number, number / 1000, number * number / 7, Decimal(0), Decimal.nan]))
        case 6: return .string(random.pick(Self.names + ["\n\r\t\u{7f}\\", "%@ %K", "'"]))
        case 7: return .date(Date(timeIntervalSinceReferenceDate: Double(random.below(1_000_000_000)) / 7 - 1e7))
        case 8: return .data(Data((0..<random.below(9)).map { _ in UInt8(random.below(256)) }))
        case 9: return random.pick([.boolean(true), .boolean(false)])
        case 10:
            let uuid = UUID(uuidString: "12345678-1234-1234-1234-1234567890AB").map(FilterValue.uuid)
            let url = URL(string: "https://example.org/a%20b?c=%22d%22#e").map(FilterValue.url)
            return random.pick([uuid ?? .null, url ?? .null])
        default: return .list((0..<random.below(4)).map { _ in value(depth: depth - 1) })
        }
    }
}
