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
}
