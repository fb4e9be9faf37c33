import TributaryStore
import TributaryJSON
import TributarySQLite

/// A table that rows are written into: its columns in the order of the cells of a row, and its key.
final class TargetTable: Sendable {
    /// What a mapping says about a column.
    struct Rule: Sendable {
        /// Whether only a new row gets a value.
        var isSetOnce = false
        /// Whether a record without a value leaves it as it is, in every mode.
        var isKept = false
        /// The index of the column by which records are compared: an older one does not change this column.
        var newest: Int?
    }

    let reference: PostgresSQL
    let name: String
    let columns: [ColumnEncoder]
    let rules: [Rule]
    /// For each column the value of a new row whose record has none.
    let defaults: [SQLValue]
    /// For each column the expression of the server for a new row whose record has none; nil for that of `defaults`.
    let serverDefaults: [PostgresSQL?]
    /// Whether the table may refuse a row that its columns can hold.
    let mayRefuse: Bool
    /// Whether one transaction that writes it may wait for another, besides by the key.
    let mayWait: Bool
    /// Whether its rows are in partitions, so that a statement cannot tell by a row alone whether it is new.
    let isPartitioned: Bool
    /// The columns that must have a value.
    let isMandatory: [Bool]
    /// The indexes of the key; empty if each record inserts a row.
    let key: [Int]
    /// The longest key of an index of PostgreSQL, in bytes, with room for the rest of its entry.
    static let longestKey = 2600

    /// Whether different keys of a dump may be the same for the server.
    var hasLooseKey: Bool { key.contains { !columns[$0].type.hasExactKeys } }

    /// Whether any value crosses as text that the server converts.
    var hasConvertedValues: Bool { columns.contains { [.converted, .array].contains($0.type.form) } }
    /// Whether the server makes a value where a record has none.
    var hasServerDefaults: Bool { serverDefaults.contains { $0 != nil } }

    /// The columns that are not part of the key.
    var others: [Int] { columns.indices.filter { !key.contains($0) } }

    /// For each column how most of its values are checked and written; without references that would be counted.
    private let forms: [CellForm]

    init(
        reference: PostgresSQL, name: String, columns: [ColumnEncoder], rules: [Rule], defaults: [SQLValue],
        serverDefaults: [PostgresSQL?], mayRefuse: Bool, mayWait: Bool, isPartitioned: Bool, isMandatory: [Bool],
        key: [Int]
    ) {
        (self.reference, self.name, self.columns, self.rules) = (reference, name, columns, rules)
        (self.defaults, self.serverDefaults, self.mayRefuse) = (defaults, serverDefaults, mayRefuse)
        (self.mayWait, self.isPartitioned, self.isMandatory, self.key) = (mayWait, isPartitioned, isMandatory, key)
        forms = columns.map { CellForm($0.type.form) }
    }

    /// Why the table cannot hold the row that was added to `batch` last; nil if it can.
    func refusal(ofLastRowIn batch: RowBatch) -> JSONError? {
        let row = batch.count - 1
        return withUnsafeTemporaryAllocation(of: SQLCell.self, capacity: forms.count) { cells in
            batch.read(row, into: cells)
            for index in forms.indices where !forms[index].surelyHolds(cells[index]) {
                if cells[index].kind == .absent {
                    batch.hasAbsentValues = true
                } else if let refusal = columns[index].refusal(of: cells[index]) {
                    return refusal
                }
            }
            var bytes = 0
            for index in key where cells[index].kind == .text || cells[index].kind == .blob {
                bytes += cells[index].bytes.count
            }
            return bytes > TargetTable.longestKey ? tooLong(bytes) : nil
        }
    }

    private func tooLong(_ bytes: Int) -> JSONError {
        let names = key.map { columns[$0].name }.joined(separator: ",")
        return JSONError(
            .storeValue, "the key \(names) has \(bytes) bytes, more than an index of PostgreSQL holds",
            hint: "use another key of at most \(TargetTable.longestKey) bytes")
    }

    /// Adds the values of a row to a buffer: those of its cells, or of new rows if it has none.
    @inline(__always)
    func add(_ cells: UnsafeMutableBufferPointer<SQLCell>, to buffer: CopyBuffer) {
        for index in forms.indices where !forms[index].add(cells[index], to: buffer) {
            if cells[index].kind == .absent {
                addDefault(index, to: buffer)
            } else {
                columns[index].add(cells[index], to: buffer)
            }
        }
    }

    private func addDefault(_ index: Int, to buffer: CopyBuffer) {
        switch defaults[index] {
        case .null: buffer.addNull()
        case .integer(let value): columns[index].add(SQLCell(value), to: buffer)
        case .real(let value): columns[index].add(SQLCell(value), to: buffer)
        case .text(var text):
            text.withUTF8 { columns[index].add(SQLCell(text: UnsafeRawBufferPointer($0)), to: buffer) }
        case .blob(let bytes): bytes.withUnsafeBytes { columns[index].add(SQLCell(blob: $0), to: buffer) }
        }
    }
}
