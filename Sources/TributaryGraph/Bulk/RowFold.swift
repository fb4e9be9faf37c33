import TributarySQLite

/// Several records about one row, folded in the order of the feed: what the row is in the end, and what each record has
/// done to it.
///
/// A column is what the last record says that speaks of it, or what the table has.
struct RowFold {
    /// For each column the value that stands now; absent where it is that of the table.
    let current: UnsafeMutableBufferPointer<SQLCell>
    /// Whether any column may differ from what the table has.
    var isTouched = false

    /// The columns that all these records have in common: their key, in which 1 and 1.0 are one.
    private let key: [Int]

    init(width: Int, key: [Int]) {
        current = .allocate(capacity: width)
        self.key = key
    }

    /// Begins with the next row.
    mutating func begin() {
        isTouched = false
        for index in 0..<current.count { current[index] = .absent }
    }

    /// Takes over what a record says; true if it changes anything of the row at hand of `stored`.
    @inline(__always)
    mutating func take(_ cells: UnsafeMutableBufferPointer<SQLCell>, _ stored: borrowing Statement, from first: Int)
        -> Bool
    {
        var isChanged = false
        for column in 0..<current.count where cells[column].kind != .absent {
            let isSame =
                current[column].kind == .absent
                ? stored.holds(cells[column], at: first + column) : current[column].isSame(as: cells[column])
            guard !isSame, !key.contains(column) else { continue }
            current[column] = cells[column]
            isChanged = true
        }
        if isChanged { isTouched = true }
        return isChanged
    }

    /// Takes over what a record says of a row that is not in the table; true if it changes anything.
    @inline(__always)
    mutating func take(_ cells: UnsafeMutableBufferPointer<SQLCell>) -> Bool {
        var isChanged = false
        for column in 0..<current.count where cells[column].kind != .absent {
            if current[column].kind != .absent {
                guard !current[column].isSame(as: cells[column]), !key.contains(column) else { continue }
            }
            current[column] = cells[column]
            isChanged = true
        }
        return isChanged
    }
}
