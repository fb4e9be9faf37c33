import Foundation
import TributarySQLite

/// Numbers of any kind as text that is ordered as they are.
enum FilterOrderKey {
    /// The key; null for what is not a number.
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

    /// Sign, exponent and digits; for what is below zero with every digit turned round.
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
        let place = String(exponent + 1000)
        let body = String(repeating: "0", count: max(0, 4 - place.count)) + place + digits
        guard isNegative else { return .text("2" + body) }
        let turned = body.utf8.map { UInt8(ascii: "0") + UInt8(ascii: "9") - $0 }
        return .text("0" + String(decoding: turned, as: UTF8.self) + "~")
    }
}
