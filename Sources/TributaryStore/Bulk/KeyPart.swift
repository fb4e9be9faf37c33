package import TributarySQLite

/// A value of a key; text by its bytes, because equal strings may be different keys: "é" has two spellings.
package enum KeyPart: Hashable {
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case blob([UInt8])

    /// Nil for null.
    package init?(_ value: SQLValue) {
        switch value {
        case .null: return nil
        case .integer(let number): self = .integer(number)
        case .real(let number): self = .real(number)
        case .text(let text): self = .text(Array(text.utf8))
        case .blob(let bytes): self = .blob(bytes)
        }
    }

    /// The value of an attribute in a row; nil for null.
    package init?(_ attribute: AttributeProperty, in row: Row) {
        guard let part = attribute.withCell(in: row, { KeyPart($0) }) else { return nil }
        self = part
    }

    /// Nil for null.
    init?(_ cell: SQLCell) {
        switch cell.kind {
        case .absent, .null: return nil
        case .integer: self = .integer(cell.integer)
        case .real: self = .real(cell.real)
        case .text: self = .text(Array(cell.bytes))
        case .blob: self = .blob(Array(cell.bytes))
        }
    }
}
