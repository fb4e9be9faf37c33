import TributaryStore
package import TributaryJSON
import TributarySQLite

/// Adds numbers to rows with inferred columns.
package enum InferredNumber {
    /// How a number was stored.
    enum Form {
        case integer, largeInteger, real, negativeZero
        /// The nearest double, which has other digits.
        case rounded
        /// Its text.
        case digits

        /// The kind of the stored value.
        var kind: ValueKinds {
            switch self {
            case .integer: .integer
            case .largeInteger: .largeInteger
            case .real, .rounded: .real
            case .negativeZero: .negativeZero
            case .digits: .text
            }
        }
    }

    private enum Value {
        case whole(Int64)
        case double(Double)
        case rounded(Double)
        case text

        /// How it is stored.
        func form(_ numbers: ColumnInference.Numbers) -> Form {
            switch self {
            case .whole(let number): InferredNumber.form(number)
            case .double(let number): number == 0 && number.sign == .minus ? .negativeZero : .real
            case .rounded: numbers == .rounded ? .rounded : .digits
            case .text: .digits
            }
        }
    }

    /// Adds a number of the source: as an integer of 64 bits, as a double, or else as its text.
    ///
    /// A double that has other digits than the number is used unless `numbers` is `.exact`.
    @inline(__always)
    static func add(
        _ text: UnsafeBufferPointer<UInt8>, to batch: RowBatch, _ numbers: ColumnInference.Numbers
    ) -> Form {
        if let number = RawValue.integer(text), number != 0 || text.count == 1 {
            batch.add(number)
            return form(number)
        }
        if isShortFraction(text), let number = RawValue.double(text), number != 0 {
            batch.add(number)
            return .real
        }
        return addSlowly(String(decoding: text, as: UTF8.self), to: batch, numbers)
    }

    @inline(__always)
    private static func form(_ number: Int64) -> Form { number.magnitude <= 1 << 53 ? .integer : .largeInteger }

    private static func addSlowly(_ text: String, to batch: RowBatch, _ numbers: ColumnInference.Numbers) -> Form {
        var literal = text
        let value = value(literal)
        switch value {
        case .whole(let number): batch.add(number)
        case .double(let number): batch.add(number)
        case .rounded(let number) where numbers == .rounded: batch.add(number)
        case .rounded, .text: literal.withUTF8 { batch.add(text: UnsafeRawBufferPointer($0)) }
        }
        return value.form(numbers)
    }

    /// Whether a number has a point, no exponent and at most 15 digits, so that its nearest double is exact.
    @inline(__always)
    private static func isShortFraction(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count <= 16 else { return false }
        var hasPoint = false
        for byte in text {
            if byte == UInt8(ascii: ".") { hasPoint = true } else if byte | 0x20 == UInt8(ascii: "e") { return false }
        }
        return hasPoint
    }

    /// The kind of the stored value of a number that is never rounded.
    static func kind(of text: UnsafeBufferPointer<UInt8>) -> ValueKinds {
        if let number = RawValue.integer(text), number != 0 || text.count == 1 { return form(number).kind }
        if isShortFraction(text), let number = RawValue.double(text), number != 0 { return .real }
        return value(String(decoding: text, as: UTF8.self)).form(.exact).kind
    }

    /// The stored value of a number that is never rounded, and its kind.
    static func stored(_ json: JSON) -> (SQLValue, ValueKinds) { stored(literal: json.compactText) }

    /// The stored value of the text of a number that is never rounded, and its kind.
    static func stored(literal text: String) -> (SQLValue, ValueKinds) {
        let value = value(text)
        let kind = value.form(.exact).kind
        switch value {
        case .whole(let number): return (.integer(number), kind)
        case .double(let number): return (.real(number), kind)
        case .rounded, .text: return (.text(text), kind)
        }
    }

    /// Whether 64 bits or a double hold a number exactly.
    package static func isExact(_ value: JSON) -> Bool { !isText(value, .exact) }

    /// Whether a number is stored as its text.
    static func isText(_ value: JSON, _ numbers: ColumnInference.Numbers) -> Bool {
        isText(value.compactText, numbers)
    }

    /// Whether the text of a number is stored as it is.
    static func isText(_ literal: String, _ numbers: ColumnInference.Numbers) -> Bool {
        value(literal).form(numbers) == .digits
    }

    private static func value(_ literal: String) -> Value {
        let isPlain = !literal.utf8.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
        if literal == "-0" { return .double(-0.0) }
        if isPlain { return Int64(literal).map(Value.whole) ?? .text }
        let double = Double(literal).flatMap { $0.isFinite ? $0 : nil }
        if let double, isExact(double, literal) { return .double(double) }
        // 9007199254740993.0 is not exact as a double, but is an integer.
        if let whole = NumberLiteral(literal)?.canonical.flatMap({ Int64($0) }) { return .whole(whole) }
        guard let double, double != 0 else { return .text }
        return .rounded(double)
    }

    /// Whether the shortest text of a double is the same number as the literal.
    private static func isExact(_ double: Double, _ literal: String) -> Bool {
        guard let shortest = NumberLiteral("\(double)")?.canonical else { return false }
        return shortest == NumberLiteral(literal)?.canonical
    }
}
