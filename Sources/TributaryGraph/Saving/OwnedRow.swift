/// Values of an object that wait for the save to be kept, and go with whoever holds them.
final class OwnedRow {
    let row: Row

    /// Takes over the memory.
    init(_ row: Row) { self.row = row }

    deinit { row.deallocate() }
}
