import Foundation
import TributarySQLite

/// Text that sorts in the order of the numbers it represents.
enum FilterOrderKey {
    /// The text of a number; null for any other value.
    static func key(_ value: FilterValue) -> SQLValue {
        guard let number = FilterNumber(value) else { return .null }
        switch number {
        case .double(let double) where double.isNaN: return .null
        case .double(let double) where double.isInfinite: return double > 0 ? "3" : "/"
        case .double(let double):
            return text(Int64(exactly: double).map { "\($0)" } ?? "\(double)")
        case .integer(let integer): return text("\(integer)")
        case .decimal(let decimal): return decimal.isNaN ? .null : text("\(decimal)")
        }
    }

    /// Sign, exponent and digits; for negative numbers the nines' complement of each digit, which reverses the order.
    private static func text(_ number: String) -> SQLValue {
        let isNegative = number.hasPrefix("-")
        let parts = (isNegative ? number.dropFirst() : number[...]).split { $0 == "e" || $0 == "E" }
        let mantissa = (parts.first ?? "0").split(separator: ".", omittingEmptySubsequences: false)
        let whole = mantissa.first ?? ""
        var digits = String(whole) + (mantissa.count > 1 ? mantissa[1] : "")
        var exponent = whole.count + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
        while digits.hasPrefix("0") {
            digits.removeFirst()
            exponent -= 1
        }
        while digits.hasSuffix("0") { digits.removeLast() }
        if digits.isEmpty { return "1" }
        let biased = String(exponent + 1000)
        let body = String(repeating: "0", count: max(0, 4 - biased.count)) + biased + digits
        guard isNegative else { return .text("2" + body) }
        let complement = body.utf8.map { UInt8(ascii: "0") + UInt8(ascii: "9") - $0 }
        return .text("0" + String(decoding: complement, as: UTF8.self) + "~")
    }
}
