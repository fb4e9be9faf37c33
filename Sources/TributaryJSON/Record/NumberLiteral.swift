/// A number as JSON writes it, in a number or in the text of a string.
package struct NumberLiteral: Sendable {
    private var text: String

    /// The number of a JSON value; nil if it is not a number.
    package init?(json: JSON) {
        guard json.kind == .number else { return nil }
        text = json.rawText
    }

    /// The number whose text JSON has already.
    package init(ofNumber text: String) { self.text = text }

    /// The number in `text`; nil if that is not exactly one number by the grammar of JSON.
    package init?(_ text: String) {
        guard let first = text.utf8.first, first.isDigit || first == UInt8(ascii: "-") else { return nil }
        self.text = text
        let isNumber = self.text.withUTF8 { bytes in
            var tokenizer = Tokenizer(UnsafeRawBufferPointer(bytes), isFinal: true, limits: NumberLiteral.limits)
            return (try? tokenizer.next())?.range == 0..<bytes.count
        }
        guard isNumber else { return nil }
    }

    private func read<Result>(_ body: (NumberText) -> Result) -> Result {
        var text = text
        return text.withUTF8 { body(NumberText($0)) }
    }

    /// The value as `Decimal` prints it, or nil if `Decimal` cannot hold it exactly.
    package var decimal: String? { read(\.decimalParts).flatMap(NumberLiteral.text) }

    /// The value if it is written as an integer: 12, but neither 1.0 nor 1e3.
    package var plainInteger: Int64? { Int64(text) }

    /// The sign, the digits without leading and trailing zeros, and a power of ten; zero has no digits.
    package var parts: (isNegative: Bool, digits: [UInt8], exponent: Int) {
        let parts = read(\.parts)
        return (parts.isNegative, parts.digits, parts.exponent)
    }

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

    private static let limits = ReadLimits().asWideAsPossible
}
