import TributaryConcurrency
package import TributarySQLite

/// Carries batches of rows into a table: looks up all keys in one query, compares, and writes what differs in the order of
/// the rows.
///
/// It belongs to one connection and is used inside a transaction of the caller.
package final class BulkWriter {
    /// A record's place: its key's prefix, then where it is.
    struct Place {
        var prefix: UInt64
        var batch: UInt32
        var row: UInt32
    }

    /// Records of one key, and the row they are about.
    struct Run {
        /// The first of them among the places.
        var start: Int32
        var count: Int32
        /// The row's number; 0 if there is none.
        var key: Int64 = 0
    }

    package private(set) var table: BulkTable
    let connection: Connection
    let mode: BulkMode
    /// What new rows start with.
    private(set) var standards: RowStandards

    // One thread writes, and nothing calls out while a field is read or written: what the compiler would check for each
    // row cannot happen.

    /// A row as it is inserted: its number, the name of its entity, and its columns.
    @exclusivity(unchecked) private(set) var row: UnsafeMutableBufferPointer<SQLCell>
    /// Columns of the record at hand, and of others to compare it with.
    @exclusivity(unchecked) private(set) var cells: UnsafeMutableBufferPointer<SQLCell>
    @exclusivity(unchecked) private(set) var others: UnsafeMutableBufferPointer<SQLCell>
    private let entityName: KeptBytes
    var fold: RowFold
    var places: [Place] = []
    @exclusivity(unchecked) var batches: [RowBatch] = []
    @exclusivity(unchecked) var firstKeys: [Int64] = []
    @exclusivity(unchecked) var outcome = BulkOutcome()
    /// Statements that change some columns of a row, by the set of their places.
    var updates: [UInt64: String] = [:]
    /// Whether the numbers of rows are wanted.
    package var keepsKeys = true

    /// - Throws: `SQLiteError`.
    package init(_ table: BulkTable, mode: BulkMode, on connection: Connection) {
        self.table = table
        self.mode = mode
        self.connection = connection
        standards = RowStandards(table)
        entityName = KeptBytes(Array(table.entity.name.utf8))
        row = BulkWriter.row(of: table, entityName)
        cells = UnsafeMutableBufferPointer(rebasing: row[BulkTable.ownCells...])
        others = .allocate(capacity: table.columns.count)
        fold = RowFold(width: table.columns.count, key: table.key)
    }

    private static func row(of table: BulkTable, _ entityName: KeptBytes) -> UnsafeMutableBufferPointer<SQLCell> {
        let row = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: table.columns.count + BulkTable.ownCells)
        row.initialize(repeating: .absent)
        row[1] = SQLCell(text: entityName.bytes)
        return row
    }

    deinit { deallocate() }

    private func deallocate() {
        row.deallocate()
        others.deallocate()
        fold.current.deallocate()
    }

    /// Goes on with the same table, which has more columns now.
    package func grow(to table: BulkTable) {
        guard table.columns.count > self.table.columns.count else { return }
        deallocate()
        self.table = table
        updates = [:]
        row = BulkWriter.row(of: table, entityName)
        cells = UnsafeMutableBufferPointer(rebasing: row[BulkTable.ownCells...])
        others = .allocate(capacity: table.columns.count)
        fold = RowFold(width: table.columns.count, key: table.key)
        standards = RowStandards(table)
    }

    /// Carries `batches` into the table, in the order of the feed.
    ///
    /// - Parameters:
    ///   - batches: The rows.
    ///   - firstKeys: For each batch the number that its record of ordinal 0 gets, if it makes a row.
    /// - Returns: What has become of them.
    /// - Throws: `SQLiteError`.
    package func apply(_ batches: [RowBatch], firstKeys: [Int64]) throws -> BulkOutcome {
        begin(batches, firstKeys: firstKeys)
        guard !table.key.isEmpty else {
            try append(
                batches.indices.lazy.flatMap { batch in
                    self.batches[batch].entries.indices.lazy.map { row in
                        Place(prefix: 0, batch: UInt32(batch), row: UInt32(row))
                    }
                })
            return end()
        }
        var runs = sortedRuns()
        try lookUp(&runs)
        if table.hasOtherConstraints {
            try writeInFeedOrder(runs)
        } else {
            try writeInRowOrder(runs)
        }
        return end()
    }

    func begin(_ batches: [RowBatch], firstKeys: [Int64]) {
        self.batches = batches
        self.firstKeys = firstKeys
        outcome = BulkOutcome()
    }

    func end() -> BulkOutcome {
        batches = []
        return outcome
    }

    // MARK: Keys

    /// Sorts all records by key, those of one key in the order of the feed.
    private func sortedRuns() -> [Run] {
        places.removeAll(keepingCapacity: true)
        for (number, batch) in batches.enumerated() {
            for (row, entry) in batch.entries.enumerated() {
                places.append(
                    Place(
                        prefix: entry.prefix, batch: UInt32(truncatingIfNeeded: number),
                        row: UInt32(truncatingIfNeeded: row)))
            }
        }
        places.sort { left, right in
            if left.prefix != right.prefix { return left.prefix < right.prefix }
            if let isBefore = order(left, right) { return isBefore }
            return left.batch != right.batch ? left.batch < right.batch : left.row < right.row
        }
        var runs: [Run] = []
        runs.reserveCapacity(places.count)
        for index in places.indices {
            if index > 0, places[index].prefix == places[index - 1].prefix,
                order(places[index - 1], places[index]) == nil
            {
                runs[runs.count - 1].count += 1
            } else {
                runs.append(Run(start: Int32(index), count: 1))
            }
        }
        return runs
    }

    /// Whether the key of one place comes before that of another; nil if they are the same.
    private func order(_ left: Place, _ right: Place) -> Bool? {
        batches[Int(left.batch)].read(Int(left.row), into: cells)
        batches[Int(right.batch)].read(Int(right.row), into: others)
        for column in table.key {
            if let isBefore = cells[column].comes(before: others[column]) { return isBefore }
        }
        return nil
    }

    /// Finds the rows that are there, in one query.
    private func lookUp(_ runs: inout [Run]) throws {
        let width = table.key.count
        let list = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: max(1, runs.count * width))
        defer { list.deallocate() }
        for (number, run) in runs.enumerated() {
            read(places[Int(run.start)], into: cells)
            for (index, column) in table.key.enumerated() { list[number * width + index] = cells[column] }
        }
        let rows = UnsafeBufferPointer(rebasing: list[..<(runs.count * width)])
        try connection.keys.withRows(rows, width: width) {
            try connection.withUnboundStatement(table.lookup) { statement in
                while try statement.step() {
                    let number = Int(statement.integer(at: 0))
                    runs[number].key = statement.integer(at: 1)
                    if let kinds = table.kinds, !kinds.contains(statement.text(at: 2)) {
                        // Somebody else's: no record of this key can be carried in.
                        runs[number].key = -1
                    }
                }
            }
        }
    }

    @inline(__always)
    func read(_ place: Place, into cells: UnsafeMutableBufferPointer<SQLCell>) {
        batches[Int(place.batch)].read(Int(place.row), into: cells)
    }

    func refuse(_ place: Place, _ fault: BulkOutcome.Fault) {
        outcome.refused.append((Int(place.batch), Int(place.row), fault))
    }

    /// Fills in the standards of columns that the cells do not speak of.
    @inline(__always)
    func complete(_ cells: UnsafeMutableBufferPointer<SQLCell>) { standards.complete(cells) }

    /// The first mandatory column that has nothing; nil if there is none.
    func lackingColumn(_ cells: UnsafeMutableBufferPointer<SQLCell>) -> String? { standards.lackingColumn(cells) }
}
