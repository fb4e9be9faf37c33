public import TributarySQLite

/// A row to read: the current row of a statement, or a row that a thread has copied from it.
@usableFromInline
package protocol RowSource {
    /// The storage class of the value.
    func storage(at index: Int) -> SQLCell.Kind
    /// The value as a whole number.
    func integer(at index: Int) -> Int64
    /// The value as text.
    func text(at index: Int) -> String
    /// The value; its text or bytes are valid until the next row.
    func cell(at index: Int) -> SQLCell
    /// Whether the value is text with these bytes.
    func holds(_ bytes: [UInt8], at index: Int) -> Bool
    /// Copies the values of a row of an entity; returns the codec of a value that does not fit.
    ///
    /// A requirement, so that each source has machine code of its own, which other modules call.
    func copyValues(_ codec: RowCodec, into row: Row) -> AttributeCodec?
}

extension Statement: RowSource {
    @usableFromInline
    package func holds(_ bytes: [UInt8], at index: Int) -> Bool { withText(at: index) { $0.elementsEqual(bytes) } }
    @usableFromInline
    package func copyValues(_ codec: RowCodec, into row: Row) -> AttributeCodec? { codec.copy(self, into: row) }
}
