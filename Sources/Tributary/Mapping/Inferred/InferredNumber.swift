import TributaryGraph
import TributaryJSON

/// Adds numbers to rows with inferred columns, without losing a digit.
enum InferredNumber {
    private enum Form {
        case whole(Int64)
        case double(Double)
        case text
    }

    /// Adds a number: as an integer of 64 bits, as a double if that is exact, or else as its text in the source.
    static func add(_ value: JSON, to batch: RowBatch) {
        var literal = value.compactText
        switch form(&literal) {
        case .whole(let number): batch.add(number)
        case .double(let number): batch.add(number)
        case .text: literal.withUTF8 { batch.add(text: UnsafeRawBufferPointer($0)) }
        }
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
