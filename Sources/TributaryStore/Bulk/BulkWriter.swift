import TributaryConcurrency
package import TributarySQLite

/// Writes batches of rows into a table: looks up all keys in one query, compares, and writes the differences in the
/// order of the rows.
///
/// It belongs to one connection and is used inside a transaction of the caller.
package final class BulkWriter {
    typealias Place = KeyOrder.Place

    package private(set) var table: BulkTable
    let connection: Connection
    let mode: ImportMode
    /// Whether the caller knows the rows of a table without a key.
    let isPositional: Bool
    /// The values of new rows where a record has none.
    private(set) var defaults: ColumnDefaults

    // One thread writes, and no access to a field overlaps another: the check for each row would cost time.

    /// A row to be inserted: its primary key, the name of its entity, and its columns.
    @exclusivity(unchecked) private(set) var row: UnsafeMutableBufferPointer<SQLCell>
    /// The columns of the current record, and of another one to compare it with.
    @exclusivity(unchecked) private(set) var cells: UnsafeMutableBufferPointer<SQLCell>
    @exclusivity(unchecked) private(set) var others: UnsafeMutableBufferPointer<SQLCell>
    private let entityName: OwnedBytes
    /// Looks keys up and compares; nil for a table without a key.
    private(set) var comparer: RowComparer?
    @exclusivity(unchecked) var batches: [RowBatch] = []
    @exclusivity(unchecked) var firstKeys: [Int64] = []
    @exclusivity(unchecked) var outcome = BulkOutcome()
    /// Statements that change some columns of a row, by the bit set of their indexes.
    var updates: [UInt64: String] = [:]
    /// The pages that get new rows; nil if they are inserted into the table.
    var pages: TableLoad?
    /// Whether rows are written that were compared a second time.
    var isComparingAgain = false
    /// For each batch and row its outcome; empty unless they are wanted.
    @exclusivity(unchecked) var outcomes: [[RecordOutcome]] = []
    /// Whether the table has triggers, or a unique index of another program, so that each row is written by itself.
    package let hasTriggers: Bool
    /// For some batches and rows why they are refused before they are written; nil for rows that are skipped.
    package var refusals: [Int: [Int: BulkOutcome.Fault?]] = [:]
    /// Whether a row is refused that leaves a reference to a missing row, also in another table.
    var checksReferences = false
    /// Whether outcomes contain the primary keys of written rows.
    package var keepsKeys = true
    /// Whether they also contain those of rows that were found by their keys.
    package var keepsSeenKeys = false { didSet { comparer?.keepsSeenKeys = keepsSeenKeys } }

    /// Whether rows whose keys are there may be refused or skipped.
    package var mayRefuse: Bool { hasTriggers || table.hasOtherConstraints || mode == .replace }

    /// - Throws: `SQLiteError`, `StoreError` if a trigger of the table does not work.
    ///
    /// If the rows are `related` to those of other tables, a unique index of another program ends the import: what a row
    /// refers to is written already.
    package init(
        _ table: BulkTable, mode: ImportMode, isPositional: Bool = false, related: Bool = false,
        on connection: Connection
    ) throws {
        // What a unique index of another program refuses is found row by row, as what a trigger does.
        hasTriggers =
            try connection.tablesWithTriggers().contains(table.name)
            || !related && !table.hasOtherConstraints && connection.hasUniqueIndex(of: table.name)
        if hasTriggers { try connection.checkStatements([table.insertionOfOne, table.update], writing: table.name) }
        self.table = table
        self.mode = mode
        self.isPositional = isPositional
        self.connection = connection
        defaults = ColumnDefaults(table)
        entityName = OwnedBytes(Array(table.entity.name.utf8))
        row = BulkWriter.row(of: table, entityName)
        cells = UnsafeMutableBufferPointer(rebasing: row[BulkTable.ownCells...])
        others = .allocate(capacity: table.columns.count)
        comparer = makeComparer()
    }

    private func makeComparer() -> RowComparer? {
        table.key.isEmpty && !isPositional
            ? nil : RowComparer(table, mode: mode, isPositional: isPositional, on: connection)
    }

    private static func row(of table: BulkTable, _ entityName: OwnedBytes) -> UnsafeMutableBufferPointer<SQLCell> {
        let row = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: table.columns.count + BulkTable.ownCells)
        row.initialize(repeating: .absent)
        row[1] = SQLCell(text: entityName.bytes)
        return row
    }

    deinit { deallocate() }

    private func deallocate() {
        row.deallocate()
        others.deallocate()
    }

    /// Continues with the same table after columns were added to it.
    package func grow(to table: BulkTable) {
        guard table.columns.count > self.table.columns.count else { return }
        deallocate()
        self.table = table
        updates = [:]
        row = BulkWriter.row(of: table, entityName)
        cells = UnsafeMutableBufferPointer(rebasing: row[BulkTable.ownCells...])
        others = .allocate(capacity: table.columns.count)
        comparer = makeComparer()
        comparer?.keepsSeenKeys = keepsSeenKeys
        defaults = ColumnDefaults(table)
    }

    /// Writes batches in feed order, each with the primary key of its record of ordinal 0, if that makes a row.
    package func apply(_ batches: [RowBatch], firstKeys: [Int64]) throws -> BulkOutcome {
        if hasTriggers { return try applyEach(batches, firstKeys: firstKeys) }
        guard let comparer else {
            begin(batches, firstKeys: firstKeys)
            for (number, batch) in batches.enumerated() {
                if table.hasOtherConstraints {
                    try appendEach(of: number)
                } else {
                    try append(0..<batch.count, of: number)
                }
            }
            return end()
        }
        if table.hasOtherConstraints {
            begin(batches, firstKeys: firstKeys)
            let runs = try comparer.runs(of: batches)
            if keepsSeenKeys { comparer.keepSeenKeys(of: runs, in: &outcome) }
            try writeInFeedOrder(runs, comparer.places)
            return end()
        }
        let comparisons = try comparer.compare(batches)
        var outcome = try write(batches, comparisons, firstKeys: firstKeys)
        for comparison in comparisons { outcome.refused += comparison.outcome.refused }
        return outcome
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

    // MARK: Rows

    @inline(__always)
    func read(_ place: Place, into cells: UnsafeMutableBufferPointer<SQLCell>) {
        batches[Int(place.batch)].read(Int(place.row), into: cells)
    }

    func refuse(_ place: Place, _ fault: BulkOutcome.Fault) {
        let (batch, row) = (Int(place.batch), Int(place.row))
        outcome.refuse(batch, row, batches[batch].entries[row].ordinal, fault)
        if !outcomes.isEmpty { outcomes[batch][row] = .rejected }
    }
}
