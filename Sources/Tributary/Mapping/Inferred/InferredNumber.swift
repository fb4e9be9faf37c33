import TributaryGraph
import TributaryJSON

/// Adds numbers to rows with inferred columns, without losing a digit.
enum InferredNumber {
    private enum Form {
        case whole(Int64)
        case double(Double)
        case text
    }

    /// Adds a number of the source: as an integer of 64 bits, as a double if that is exact, or else as its text.
    @inline(__always)
    static func add(_ text: UnsafeBufferPointer<UInt8>, to batch: RowBatch) {
        if let number = RawValue.integer(text) {
            batch.add(number)
        } else if isShortFraction(text), let number = RawValue.double(text) {
            batch.add(number)
        } else {
            addSlowly(String(decoding: text, as: UTF8.self), to: batch)
        }
    }

    private static func addSlowly(_ text: String, to batch: RowBatch) {
        var literal = text
        switch form(&literal) {
        case .whole(let number): batch.add(number)
        case .double(let number): batch.add(number)
        case .text: literal.withUTF8 { batch.add(text: UnsafeRawBufferPointer($0)) }
        }
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

    /// Whether a number is stored as a number, not as text.
    static func isNumber(_ value: JSON) -> Bool {
        var literal = value.compactText
        if case .text = form(&literal) { return false }
        return true
    }

    private static func form(_ literal: inout String) -> Form {
        if let plain = literal.withUTF8({ RawValue.integer($0) }) { return .whole(plain) }
        let isPlain = !literal.utf8.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
        if isPlain { return Int64(literal).map(Form.whole) ?? .text }
        if let double = Double(literal), double.isFinite, isExact(double, literal) { return .double(double) }
        // 9007199254740993.0 is not exact as a double, but is an integer.
        return NumberLiteral(literal)?.canonical.flatMap { Int64($0) }.map(Form.whole) ?? .text
    }

    /// Whether the shortest text of a double is the same number as the literal.
    private static func isExact(_ double: Double, _ literal: String) -> Bool {
        guard let shortest = NumberLiteral("\(double)")?.canonical else { return false }
        return shortest == NumberLiteral(literal)?.canonical
    }
}
