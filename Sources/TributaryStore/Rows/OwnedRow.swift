/// A row that is deallocated with its last reference.
@usableFromInline
package final class OwnedRow {
    @usableFromInline package let row: Row

    /// Takes ownership of a row.
    package init(_ row: Row) { self.row = row }

    deinit { row.deallocate() }
}
