/// A row that is deallocated with its last reference.
package final class OwnedRow {
    package let row: Row

    /// Takes ownership of a row.
    package init(_ row: Row) { self.row = row }

    deinit { row.deallocate() }
}
