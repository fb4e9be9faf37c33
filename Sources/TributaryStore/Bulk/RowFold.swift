import TributarySQLite

/// Folds several records of one key into one row, in feed order.
///
/// A column has the value of the last record with a value for it, or that of the table.
struct RowFold {
    /// For each column its current value; absent where that is the value of the table.
    let current: UnsafeMutableBufferPointer<SQLCell>
    /// Whether any column may differ from the table.
    var isTouched = false

    /// The columns that keep their values: those of the key, in which 1 and 1.0 are equal, and those set once.
    private let fixed: [Int]

    init(width: Int, fixed: [Int]) {
        current = .allocate(capacity: width)
        self.fixed = fixed
    }

    /// Begins with the next row.
    mutating func begin() {
        isTouched = false
        for index in 0..<current.count { current[index] = .absent }
    }

    /// Applies a record; true if it changes the row, which `stored` is at.
    @inline(__always)
    mutating func apply(_ cells: UnsafeMutableBufferPointer<SQLCell>, _ stored: borrowing Statement, from first: Int)
        -> Bool
    {
        var isChanged = false
        for column in 0..<current.count where cells[column].kind != .absent {
            let isSame =
                current[column].kind == .absent
                ? stored.holds(cells[column], at: first + column) : current[column].isSame(as: cells[column])
            guard !isSame, !fixed.contains(column) else { continue }
            current[column] = cells[column]
            isChanged = true
        }
        if isChanged { isTouched = true }
        return isChanged
    }

    /// Applies a record of a row that is not in the table; true if it changes the row.
    @inline(__always)
    mutating func apply(_ cells: UnsafeMutableBufferPointer<SQLCell>) -> Bool {
        var isChanged = false
        for column in 0..<current.count where cells[column].kind != .absent {
            if current[column].kind != .absent {
                guard !current[column].isSame(as: cells[column]), !fixed.contains(column) else { continue }
            }
            current[column] = cells[column]
            isChanged = true
        }
        return isChanged
    }
}
