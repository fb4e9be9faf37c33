package import Foundation

/// A number of any type, compared and computed by value.
package enum FilterNumber: Sendable {
    case integer(Int64)
    case double(Double)
    case decimal(Decimal)

    /// The number of a value, with 1 for true; nil if it is not a number.
    package init?(_ value: FilterValue) {
        switch value {
        case .integer(let number): self = .integer(number)
        case .double(let number): self = .double(number)
        case .decimal(let number): self = .decimal(number)
        case .boolean(let flag): self = .integer(flag ? 1 : 0)
        default: return nil
        }
    }

    /// The number of a literal: an integer, a decimal if it exceeds 64 bits, or a floating point number.
    package static func literal(_ text: String) -> FilterNumber? {
        if let number = Int64(text) { return .integer(number) }
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        if !digits.isEmpty, digits.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) {
            return digits.count <= 38 ? Decimal(string: text).map(FilterNumber.decimal) : nil
        }
        guard let number = Double(text), number.isFinite else { return nil }
        return .double(number)
    }

    package var value: FilterValue {
        switch self {
        case .integer(let number): .integer(number)
        case .double(let number): .double(number)
        case .decimal(let number): .decimal(number)
        }
    }

    package var double: Double {
        switch self {
        case .integer(let number): Double(number)
        case .double(let number): number
        case .decimal(let number): Double("\(number)") ?? .nan
        }
    }

    var isNaN: Bool {
        switch self {
        case .integer: false
        case .double(let number): number.isNaN
        case .decimal(let number): number.isNaN
        }
    }

    /// The number rounded towards zero, if it fits in 64 bits.
    var truncated: Int64? {
        switch self {
        case .integer(let number): return number
        case .double(let number):
            return number.isFinite ? Int64(exactly: number.rounded(.towardZero)) : nil
        case .decimal(let number):
            return "\(number)".split(separator: ".", omittingEmptySubsequences: false).first.flatMap { part in
                part == "-" ? 0 : Int64(part)
            }
        }
    }

    /// The number as a decimal; a floating point number by its shortest text, so that 0.1 is a tenth.
    package var asDecimal: Decimal? {
        switch self {
        case .integer(let number): return Decimal(number)
        case .decimal(let number): return number
        case .double(let number):
            guard number.isFinite else { return nil }
            if let whole = Int64(exactly: number) { return Decimal(whole) }
            guard number.magnitude < 1e100, number.magnitude > 1e-100 else { return nil }
            return Decimal(string: "\(number)")
        }
    }

    var negated: FilterNumber? {
        switch self {
        case .integer(let number):
            let (result, overflow) = Int64(0).subtractingReportingOverflow(number)
            return overflow ? .decimal(-Decimal(number)) : .integer(result)
        case .double(let number): return .double(-number)
        case .decimal(let number):
            let result = -number
            return Int64("\(result)").map(FilterNumber.integer) ?? .decimal(result)
        }
    }
}
