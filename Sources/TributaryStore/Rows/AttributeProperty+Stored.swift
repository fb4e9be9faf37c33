import Foundation
package import TributarySQLite

/// The values of an attribute as the store keeps them.
extension AttributeProperty {
    /// The value in a row of its entity.
    package func storedValue(in row: Row) -> SQLValue { withCell(in: row) { $0.value } }

    /// Calls `body` with the value in a row of its entity; text and bytes are valid until `body` returns.
    @inline(__always)
    func withCell<Result>(in row: Row, _ body: (SQLCell) throws -> Result) rethrows -> Result {
        switch row.kind(slot) {
        case .null: return try body(.null)
        case .integer: return try body(SQLCell(row.integer(slot)))
        case .double: return try body(SQLCell(row.double(slot)))
        case .text: return try row.withText(slot) { try body(SQLCell(text: UnsafeRawBufferPointer($0))) }
        case .data: return try row.data(slot).withUnsafeBytes { try body(SQLCell(blob: $0)) }
        case .uuid, .boxed:
            var text = row.kind(slot) == .uuid ? row.uuid(slot).uuidString : row.boxedText(slot)
            return try text.withUTF8 { try body(SQLCell(text: UnsafeRawBufferPointer($0))) }
        }
    }
}
