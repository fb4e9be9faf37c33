import TributaryGraph
import TributaryJSON

/// Numbers of columns that are found: as they were, whatever that takes.
enum InferredNumber {
    private enum Form {
        case whole(Int64)
        case double(Double)
        case text
    }

    /// Adds a number: whole if 64 bits hold it, with a fraction if a double holds it exactly, else as the text it was.
    static func add(_ value: JSON, to batch: RowBatch) {
        var literal = value.compactText
        switch form(&literal) {
        case .whole(let number): batch.add(number)
        case .double(let number): batch.add(number)
        case .text: literal.withUTF8 { batch.add(text: UnsafeRawBufferPointer($0)) }
        }
    }

    /// Whether a number is kept as one, and not as text.
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
        // 9007199254740993.0 is no double, but whole.
        return NumberLiteral(literal)?.canonical.flatMap { Int64($0) }.map(Form.whole) ?? .text
    }

    /// Whether the shortest text of a double is the same number as the literal.
    private static func isExact(_ double: Double, _ literal: String) -> Bool {
        guard let shortest = NumberLiteral("\(double)")?.canonical else { return false }
        return shortest == NumberLiteral(literal)?.canonical
    }
}
