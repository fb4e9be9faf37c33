import TributarySQLite

/// The default values of the columns of a table, and which columns are mandatory.
final class ColumnDefaults {
    private let table: BulkTable
    private let cells: [SQLCell]
    /// The memory that the cells point to.
    private let owned: [OwnedBytes]

    init(_ table: BulkTable) {
        self.table = table
        var owned: [OwnedBytes] = []
        func own(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
            let copy = OwnedBytes(bytes)
            owned.append(copy)
            return copy.bytes
        }
        cells = table.columns.map { column in
            switch column.defaultValue {
            case .null: .null
            case .integer(let value): SQLCell(value)
            case .real(let value): SQLCell(value)
            case .text(let text): SQLCell(text: own(Array(text.utf8)))
            case .blob(let bytes): SQLCell(blob: own(bytes))
            }
        }
        self.owned = owned
    }

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
