/// The rows of batches in the order of their keys, which is that of the store.
struct KeyOrder {
    /// Where a row is: the sort prefix of its key, its batch, and its index in the batch.
    struct Place {
        var prefix: UInt64
        var batch: UInt32
        var row: UInt32
    }

    /// The rows sorted by key, those of one key in feed order.
    let places: [Place]
    /// For each key its rows in `places`.
    let ranges: [Range<Int>]

    /// Sorts the rows of batches for which `hasKey` holds, by the columns `key`.
    init(of batches: [RowBatch], by key: [Int], where hasKey: (RowBatch.Entry) -> Bool = { _ in true }) {
        let width = key.max().map { $0 + 1 } ?? 0
        let (one, other) = (RowCells(width), RowCells(width))
        /// Whether the key of one row sorts before that of another with the same prefix; nil if the keys are equal.
        func comes(_ left: Place, before right: Place) -> Bool? {
            one.read(Int(left.row), of: batches[Int(left.batch)])
            other.read(Int(right.row), of: batches[Int(right.batch)])
            for column in key {
                if let isBefore = one.cells[column].comes(before: other.cells[column]) { return isBefore }
            }
            return nil
        }
        var places: [Place] = []
        places.reserveCapacity(batches.reduce(0) { $0 + $1.count })
        for (number, batch) in batches.enumerated() {
            for (row, entry) in batch.entries.enumerated() where hasKey(entry) {
                places.append(
                    Place(
                        prefix: entry.prefix, batch: UInt32(truncatingIfNeeded: number),
                        row: UInt32(truncatingIfNeeded: row)))
            }
        }
        places.sort { left, right in
            if left.prefix != right.prefix { return left.prefix < right.prefix }
            if let isBefore = comes(left, before: right) { return isBefore }
            return left.batch != right.batch ? left.batch < right.batch : left.row < right.row
        }
        let starts = places.indices.filter { index in
            index == 0 || places[index - 1].prefix != places[index].prefix
                || comes(places[index - 1], before: places[index]) != nil
        }
        ranges = zip(starts, starts.dropFirst() + [places.count]).map { $0..<$1 }
        self.places = places
    }
}
