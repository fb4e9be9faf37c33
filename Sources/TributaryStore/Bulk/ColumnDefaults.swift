import TributarySQLite

/// The default values of the columns of a table, and which columns are mandatory.
final class ColumnDefaults {
    private let table: BulkTable
    private let cells: UnsafeMutableBufferPointer<SQLCell>
    /// The row that the cells point into.
    private let values: RowBatch

    init(_ table: BulkTable) {
        self.table = table
        values = RowBatch(width: table.columns.count, capacity: 256)
        cells = .allocate(capacity: table.columns.count)
        values.begin(ordinal: 0)
        for column in table.columns { values.add(column.defaultValue) }
        values.read(0, into: cells)
    }

    deinit { cells.deallocate() }

    /// Fills in the defaults of columns without a value.
    @inline(__always)
    func complete(_ row: UnsafeMutableBufferPointer<SQLCell>) {
        for column in 0..<row.count where row[column].kind == .absent { row[column] = cells[column] }
    }

    /// Fills in the defaults of columns without a value, but of none that keeps its value in an existing row.
    func completeExisting(_ row: UnsafeMutableBufferPointer<SQLCell>) {
        for column in 0..<row.count where row[column].kind == .absent {
            guard !table.columns[column].isKept, !table.columns[column].isSetOnce else { continue }
            row[column] = cells[column]
        }
    }

    /// The first mandatory column that is null; nil if there is none.
    func missingColumn(in row: UnsafeMutableBufferPointer<SQLCell>) -> String? {
        for (index, column) in table.columns.enumerated() where column.isMandatory && row[index].kind == .null {
            return column.attributeName
        }
        return nil
    }
}
