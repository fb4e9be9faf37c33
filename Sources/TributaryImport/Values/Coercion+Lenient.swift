import Foundation
import TributaryJSON
import TributarySQLite

/// The conversions of RZImport between numbers, text, truth values and dates.
extension Coercion {
    /// The stored value of a JSON value of another type; nil if it is converted as always.
    func lenientValue(_ json: JSON, _ found: JSON.Kind) throws -> SQLValue? {
        switch (kind, found) {
        case (.string, .number):
            guard let text = NumberLiteral(json: json)?.canonical else {
                throw json.outOfRange(expected: "a number of 400 digits")
            }
            return .text(text)
        case (.string, .boolean): return .text(try Bool(json: json) ? "1" : "0")
        case (.boolean, .number): return .integer(try Double(json: json) != 0 ? 1 : 0)
        case (.boolean, .string): return .integer(Coercion.isTrue(try String(json: json)) ? 1 : 0)
        case (.integer16, .boolean), (.integer32, .boolean), (.integer64, .boolean):
            return .integer(try Bool(json: json) ? 1 : 0)
        case (.double, .boolean), (.float, .boolean): return .real(try Bool(json: json) ? 1 : 0)
        case (.decimal, .boolean): return .text(try Bool(json: json) ? "1" : "0")
        case (.integer16, .string): return .integer(Int64(try whole(Int16.self, json)))
        case (.integer32, .string): return .integer(Int64(try whole(Int32.self, json)))
        case (.integer64, .string): return .integer(try whole(Int64.self, json))
        case (.double, .string), (.float, .string):
            guard let value = Double(try plainNumber(json)), value.isFinite else {
                throw json.outOfRange(expected: "a number")
            }
            return .real(kind == .float ? Double(Float(value)) : value)
        case (.decimal, .string):
            guard let text = NumberLiteral(try plainNumber(json))?.decimal else {
                throw json.outOfRange(expected: "a Decimal")
            }
            return .text(text)
        case (.date, .number) where dates.isEmpty: return .real(try Double(json: json))
        default: return nil
        }
    }

    private func whole<Integer: FixedWidthInteger>(_ type: Integer.Type, _ json: JSON) throws -> Integer {
        guard let literal = NumberLiteral(try plainNumber(json)), let text = literal.canonical,
            let value = Integer(text)
        else { throw json.outOfRange(expected: "a whole number of \(kind.rawValue)") }
        return value
    }

    /// The number in a text, as an American writes it: commas may separate thousands.
    private func plainNumber(_ json: JSON) throws -> String {
        guard let number = Coercion.plainNumber(try String(json: json).trimmingCharacters(in: .whitespaces)) else {
            throw json.malformed(expected: "a number")
        }
        return number
    }

    /// The number in a text as JSON writes it, if commas separate groups of three digits; nil if there is none.
    static func plainNumber(_ text: String) -> String? {
        var text = text
        if text.hasPrefix("+") { text.removeFirst() }
        if text.contains(",") {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            let groups = parts[0].drop { $0 == "-" }.split(separator: ",", omittingEmptySubsequences: false)
            let isGrouped =
                parts.count <= 2 && (1...3).contains(groups[0].count) && groups.dropFirst().allSatisfy { $0.count == 3 }
            guard isGrouped, !parts.dropFirst().contains(where: { $0.contains(",") }) else { return nil }
            text.removeAll { $0 == "," }
        }
        // A decimal point may begin or end a number, and zeros may lead it.
        var sign = ""
        if text.hasPrefix("-") { (sign, text) = ("-", String(text.dropFirst())) }
        if text.hasSuffix(".") { text.removeLast() }
        if text.hasPrefix(".") { text = "0" + text }
        let zeros = text.prefix { $0 == "0" }.count
        if zeros > 0, text.dropFirst(zeros).first?.isNumber == true { text.removeFirst(zeros) }
        return NumberLiteral(sign + text) == nil ? nil : sign + text
    }

    /// Whether a text means true: after blanks, a sign and zeros comes Y, T or a digit that is not 0.
    package static func isTrue(_ text: String) -> Bool {
        var rest = text.unicodeScalars.drop { $0 == " " || $0 == "\t" || $0 == "\n" }
        if let sign = rest.first, sign == "+" || sign == "-" { rest = rest.dropFirst() }
        rest = rest.drop { $0 == "0" }
        guard let next = rest.first else { return false }
        return "YyTt123456789".unicodeScalars.contains(next)
    }
}
