import TributarySQLite

/// Copies the values of an entity from the columns of a query into rows in memory.
@usableFromInline
package final class RowCodec: Sendable {
    private let attributes: [AttributeCodec]
    private let references: [(slot: Int, column: Int)]

    /// Copies attributes, and the keys of to-one relationships from columns into slots.
    init(_ attributes: [AttributeCodec], references: [(slot: Int, column: Int)]) {
        self.attributes = attributes
        self.references = references
    }

    /// Writes the values of the current row of `source` into `row`; returns the codec of a value that does not fit.
    @inline(__always)
    func copy(_ source: some RowSource, into row: Row) -> AttributeCodec? {
        let misfit: AttributeCodec? = attributes.withUnsafeBufferPointer { attributes in
            for index in 0..<attributes.count where !attributes[index].read(source, into: row) {
                return attributes[index]
            }
            return nil
        }
        if let misfit { return misfit }
        for reference in references {
            if source.storage(at: reference.column) == .null {
                row.clear(reference.slot)
            } else {
                row.set(source.integer(at: reference.column), reference.slot)
            }
        }
        return nil
    }
}
