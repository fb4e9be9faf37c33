import TributaryStore
import TributaryJSON
import TributarySQLite

/// A table that rows are written into: its columns in the order of the cells of a row, and its key.
final class TargetTable: Sendable {
    /// The columns and what a mapping says about them, and the key; without one each record inserts a row.
    let table: BulkTable
    let reference: PostgresSQL
    let columns: [ColumnEncoder]
    /// The indexes of the key.
    let key: [Int]
    /// For each column the expression of the server for a new row whose record has none; nil for that of `table`.
    let serverDefaults: [PostgresSQL?]
    /// Whether the table may refuse a row that its columns can hold.
    let mayRefuse: Bool
    /// Whether one transaction that writes it may wait for another, besides by the key.
    let mayWait: Bool
    /// Whether its rows are in partitions, so that a statement cannot tell by a row alone whether it is new.
    let isPartitioned: Bool
    /// The longest key of an index of PostgreSQL, in bytes, with room for the rest of its entry.
    static let longestKey = 2600

    /// Whether different keys of a dump may be the same for the server.
    var hasLooseKey: Bool { key.contains { !columns[$0].type.hasExactKeys } }

    /// Whether any value crosses as text that the server converts.
    var hasConvertedValues: Bool { columns.contains { [.converted, .array].contains($0.type.form) } }
    /// Whether the server makes a value where a record has none.
    var hasServerDefaults: Bool { serverDefaults.contains { $0 != nil } }

    /// For each column how most of its values are checked and written; without references that would be counted.
    private let forms: [CellForm]

    /// A table for rows of `table`: an existing one of the server, or one that is made.
    init(
        _ table: BulkTable, _ columns: [ColumnEncoder], serverDefaults: [PostgresSQL?] = [],
        in existing: PostgresTable? = nil, isLoading: Bool = false
    ) {
        (self.table, self.columns, self.serverDefaults, key) = (table, columns, serverDefaults, table.key)
        reference = existing?.reference ?? "\(name: table.entity.name)"
        isPartitioned = existing?.isPartitioned ?? false
        mayRefuse = existing.map { !isLoading && $0.mayRefuse } ?? false
        mayWait = existing.map { !isLoading && $0.mayWait } ?? false
        forms = columns.map { CellForm($0.type.form) }
    }

    var name: String { table.entity.name }

    /// A number of the names and types of the columns: a row that was held back has these only if it has this number.
    var signature: UInt64 {
        var number: UInt64 = 0xCBF2_9CE4_8422_2325
        for column in columns {
            for byte in "\(column.name)\0\(column.type.name)\0".utf8 {
                number = (number ^ UInt64(byte)) &* 0x100_0000_01B3
            }
        }
        return number
    }

    /// Whether a column must have a value.
    func isMandatory(_ index: Int) -> Bool { table.columns[index].isMandatory || key.contains(index) }

    /// Creates the table; the index of its key is made later.
    var creation: [PostgresSQL] {
        let list = columns.enumerated().map { index, column -> PostgresSQL in
            let text: PostgresSQL = "\(name: column.name) \(PostgresSQL(catalogue: column.type.name))"
            return isMandatory(index) ? text + " NOT NULL" : text
        }
        return [
            "CREATE TABLE \(reference) (\(list))",
            "COMMENT ON TABLE \(reference) IS \(PostgresTable.comment)",
        ]
    }

    /// The name of the unique index of a key is that of the primary key, which PostgreSQL chooses.
    var keyCreation: PostgresSQL {
        "ALTER TABLE \(reference) ADD PRIMARY KEY (\(names: key.map { columns[$0].name }))"
    }

    /// Adds the values of a row to a buffer, or those of a new row where it has none; returns why the table cannot hold it,
    /// or nil, and whether it lacks any value.
    @inline(__always)
    func add(
        _ cells: UnsafeMutableBufferPointer<SQLCell>, to buffer: CopyBuffer
    ) -> (refusal: JSONError?, hasAbsentValues: Bool) {
        var hasAbsentValues = false
        for index in forms.indices where !forms[index].add(cells[index], to: buffer) {
            if cells[index].kind == .absent {
                hasAbsentValues = true
                addDefault(index, to: buffer)
            } else if let refusal = columns[index].refusal(of: cells[index]) {
                return (refusal, hasAbsentValues)
            } else {
                columns[index].add(cells[index], to: buffer)
            }
        }
        var bytes = 0
        for index in key where cells[index].kind == .text || cells[index].kind == .blob {
            bytes += cells[index].bytes.count
        }
        return (bytes > TargetTable.longestKey ? tooLong(bytes) : nil, hasAbsentValues)
    }

    private func tooLong(_ bytes: Int) -> JSONError {
        let names = key.map { columns[$0].name }.joined(separator: ",")
        return JSONError(
            .storeValue, "the key \(names) has \(bytes) bytes, more than an index of PostgreSQL holds",
            hint: "use another key of at most \(TargetTable.longestKey) bytes")
    }

    private func addDefault(_ index: Int, to buffer: CopyBuffer) {
        func add(_ cell: SQLCell) {
            if !forms[index].add(cell, to: buffer) { columns[index].add(cell, to: buffer) }
        }
        switch table.columns[index].defaultValue {
        case .null: buffer.addNull()
        case .integer(let value): add(SQLCell(value))
        case .real(let value): add(SQLCell(value))
        case .text(var text): text.withUTF8 { add(SQLCell(text: UnsafeRawBufferPointer($0))) }
        case .blob(let bytes): bytes.withUnsafeBytes { add(SQLCell(blob: $0)) }
        }
    }
}
