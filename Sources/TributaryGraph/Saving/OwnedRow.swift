/// A row that is deallocated with its last reference.
final class OwnedRow {
    let row: Row

    /// Takes ownership of a row.
    init(_ row: Row) { self.row = row }

    deinit { row.deallocate() }
}
