import TributarySQLite

/// What the columns of a table start with, and which of them must have something.
final class ColumnDefaults {
    private let table: BulkTable
    /// Their memory is kept here.
    private let cells: [SQLCell]
    private let kept: [OwnedBytes]

    init(_ table: BulkTable) {
        self.table = table
        var kept: [OwnedBytes] = []
        func keep(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
            let box = OwnedBytes(bytes)
            kept.append(box)
            return box.bytes
        }
        cells = table.columns.map { column in
            switch column.defaultValue {
            case .null: .null
            case .integer(let value): SQLCell(value)
            case .real(let value): SQLCell(value)
            case .text(let text): SQLCell(text: keep(Array(text.utf8)))
            case .blob(let bytes): SQLCell(blob: keep(bytes))
            }
        }
        self.kept = kept
    }

    /// Fills in what nothing is said of.
    @inline(__always)
    func complete(_ row: UnsafeMutableBufferPointer<SQLCell>) {
        for column in 0..<row.count where row[column].kind == .absent { row[column] = cells[column] }
    }

    /// The first mandatory column that has nothing; nil if there is none.
    func lackingColumn(_ row: UnsafeMutableBufferPointer<SQLCell>) -> String? {
        for (index, column) in table.columns.enumerated() where column.isMandatory && row[index].kind == .null {
            return column.attributeName
        }
        return nil
    }
}
