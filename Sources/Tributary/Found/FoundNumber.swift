import TributaryGraph
import TributaryJSON

/// Numbers of columns that are found: as they were, whatever that takes.
enum FoundNumber {
    /// Adds a number: whole if 64 bits hold it, with a fraction if a double holds it exactly, else as the text it was.
    static func add(_ value: JSON, to batch: RowBatch) {
        var literal = value.compactText
        let plain = literal.withUTF8 { RawValue.integer($0) }
        if let plain, literal != "-0" { return batch.add(plain) }
        let isPlain = !literal.utf8.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
        if isPlain, let whole = Int64(literal), literal != "-0" { return batch.add(whole) }
        if !isPlain, let double = Double(literal), double.isFinite, isExact(double, literal) {
            return batch.add(double)
        }
        literal.withUTF8 { batch.add(text: UnsafeRawBufferPointer($0)) }
    }

    /// Whether the shortest text of a double is the same number as the literal.
    private static func isExact(_ double: Double, _ literal: String) -> Bool {
        guard let shortest = NumberLiteral("\(double)")?.canonical else { return false }
        return shortest == NumberLiteral(literal)?.canonical
    }
}
