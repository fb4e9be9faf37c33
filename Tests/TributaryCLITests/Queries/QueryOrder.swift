import Foundation
import TributaryModel

/// The order of values, by rules of its own: null first, numbers by value, text and bytes by their bytes.
enum QueryOrder {
    static func isEqual(_ left: FilterValue, _ right: FilterValue) -> Bool { compare(left, right) == 0 }

    /// Less than 0 if the left comes first, 0 if both are equal.
    static func compare(_ left: FilterValue, _ right: FilterValue) -> Int {
        let (one, two) = (rank(left), rank(right))
        if one != two { return one - two }
        if one == 0 { return 0 }
        switch (left, right) {
        case (.date(let one), .date(let two)): return one < two ? -1 : one == two ? 0 : 1
        case (.data(let one), .data(let two)): return bytes(Array(one), Array(two))
        case (.string, .string), (.uuid, .uuid), (.url, .url):
            return bytes(Array(text(left).utf8), Array(text(right).utf8))
        default: return number(left, right)
        }
    }

    /// NaN is ordered as null.
    private static func rank(_ value: FilterValue) -> Int {
        switch value {
        case .null: 0
        case .double(let number) where number.isNaN: 0
        case .decimal(let number) where number.isNaN: 0
        case .integer, .double, .decimal, .boolean: 1
        case .date: 2
        case .string: 3
        case .url: 4
        case .uuid: 5
        default: 6
        }
    }

    private static func text(_ value: FilterValue) -> String {
        switch value {
        case .string(let text): text
        case .uuid(let id): id.uuidString
        case .url(let url): url.absoluteString
        default: ""
        }
    }

    private static func bytes(_ left: [UInt8], _ right: [UInt8]) -> Int {
        left.elementsEqual(right) ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
    }

    // MARK: Numbers

    private static func number(_ left: FilterValue, _ right: FilterValue) -> Int {
        func order<Number: Comparable>(_ one: Number, _ two: Number) -> Int { one < two ? -1 : one == two ? 0 : 1 }
        if case .double(let one) = left, case .double(let two) = right { return order(one, two) }
        if let one = decimal(left), let two = decimal(right) { return order(one, two) }
        return order(double(left), double(right))
    }

    /// A number as a decimal, a floating point number by its shortest text; nil beyond the range of decimals.
    private static func decimal(_ value: FilterValue) -> Decimal? {
        switch value {
        case .integer(let number): return Decimal(number)
        case .boolean(let flag): return flag ? 1 : 0
        case .decimal(let number): return number
        case .double(let number):
            guard number.isFinite, number == 0 || number.magnitude < 1e100 && number.magnitude > 1e-100 else {
                return nil
            }
            return Int64(exactly: number).map { Decimal($0) } ?? Decimal(string: "\(number)")
        default: return nil
        }
    }

    static func double(_ value: FilterValue) -> Double {
        switch value {
        case .integer(let number): Double(number)
        case .boolean(let flag): flag ? 1 : 0
        case .decimal(let number): Double("\(number)") ?? .nan
        case .double(let number): number
        default: .nan
        }
    }
}
