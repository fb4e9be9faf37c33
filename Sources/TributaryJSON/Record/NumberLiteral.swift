/// A number as JSON writes it, in a number or in the text of a string.
package struct NumberLiteral: Sendable {
    private var text: String

    /// The number of a JSON value; nil if it is not a number.
    package init?(json: JSON) {
        guard json.kind == .number else { return nil }
        text = json.rawText
    }

    /// The number in `text`; nil if that is not exactly one number by the grammar of JSON.
    package init?(_ text: String) {
        guard NumberLiteral.isNumber(text) else { return nil }
        self.text = text
    }

    private func read<Result>(_ body: (NumberText) -> Result) -> Result {
        var text = text
        return text.withUTF8 { body(NumberText($0)) }
    }

    /// The value as `Decimal` prints it, or nil if `Decimal` cannot hold it exactly.
    package var decimal: String? { read(\.decimalParts).flatMap(NumberLiteral.text) }

    /// The value if it is written as an integer: 12, but neither 1.0 nor 1e3.
    package var plainInteger: Int64? { Int64(text) }

    /// The canonical spelling of the value: no exponent and no redundant zeros; nil if that exceeds 400 characters.
    ///
    ///     12.0 → 12     1e3 → 1000     1.50 → 1.5     -0 → 0     2.5e-3 → 0.0025
    package var canonical: String? { NumberLiteral.text(read(\.parts)) }

    private static func text(_ parts: NumberText.Parts) -> String? {
        guard !parts.digits.isEmpty else { return "0" }
        guard parts.digits.count <= 400, abs(parts.exponent) <= 400 else { return nil }
        var digits = parts.digits.map { $0 + UInt8(ascii: "0") }
        if parts.exponent >= 0 {
            digits += Array(repeating: UInt8(ascii: "0"), count: parts.exponent)
        } else {
            let missing = 1 - parts.exponent - digits.count
            if missing > 0 { digits = Array(repeating: UInt8(ascii: "0"), count: missing) + digits }
            digits.insert(UInt8(ascii: "."), at: digits.count + parts.exponent)
        }
        if parts.isNegative { digits.insert(UInt8(ascii: "-"), at: 0) }
        return digits.count <= 400 ? String(decoding: digits, as: UTF8.self) : nil
    }

    /// Whether text is a number: a sign, digits without leading zeros, perhaps a fraction, perhaps an exponent.
    private static func isNumber(_ text: String) -> Bool {
        var rest = text.utf8[...]
        func takeDigits(_ rest: inout Substring.UTF8View) -> Int {
            let digits = rest.prefix { $0.isDigit }.count
            rest = rest.dropFirst(digits)
            return digits
        }
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        let beginsWithZero = rest.first == UInt8(ascii: "0")
        let whole = takeDigits(&rest)
        guard whole == 1 || whole > 1 && !beginsWithZero else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard takeDigits(&rest) > 0 else { return false }
        }
        if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if let sign = rest.first, "+-".utf8.contains(sign) { rest = rest.dropFirst() }
            guard takeDigits(&rest) > 0 else { return false }
        }
        return rest.isEmpty
    }
}
