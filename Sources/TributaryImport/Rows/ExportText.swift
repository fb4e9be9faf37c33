import TributaryJSON
import TributarySQLite
package import TributaryStore

/// Writes the objects of a table as lines of JSON, from which an import makes the same objects.
///
///     {"isbn":"a","title":"Emma","author":7,"tags":["b","a"]}
package struct ExportText {
    private let table: ExportTable
    private let row: RowText
    private let lists: [(start: [UInt8], list: ExportTable.List)]
    /// The columns whose values may be some that no import makes.
    private let checked: [Int]

    /// Writes the objects of a table.
    package init(_ table: ExportTable) {
        self.table = table
        row = RowText(table.rows)
        lists = table.lists.map { (JSONLineWriter.quoted($0.name) + Array(":[".utf8), $0) }
        checked =
            table.entity == nil
            ? []
            : table.rows.columns.indices.filter { index in
                if table.keys.contains(index) { return true }
                switch table.rows.columns[index].meaning {
                case .inferred: return true
                case .attribute(let type): return [.double, .float, .date, .transformable].contains(type.kind)
                case .plain, .rest: return false
                }
            }
    }

    /// Appends the current row of a reader as a line.
    ///
    /// - Throws: `ImportError` if no import would make the row.
    package func append(from reader: ExportReader, to text: inout [UInt8]) throws {
        for column in checked {
            guard let fault = fault(in: column, reader) else { continue }
            let (name, key) = (table.rows.columns[column].name, reader.cell(at: table.rows.columns.count).integer)
            throw ImportError(
                .route, "\(table.name) with the _pk \(key): \(name) \(fault), and no import makes such a row",
                hint: "change the value, or delete the row")
        }
        try row.append(reader.cell, to: &text) { text in
            for (start, list) in lists {
                if text.last != UInt8(ascii: "{") { text.append(UInt8(ascii: ",")) }
                text += start
                var isFirst = true
                try reader.forEachKey(of: list) { key in
                    if !isFirst { text.append(UInt8(ascii: ",")) }
                    isFirst = false
                    RowText.append(key, list.meaning, to: &text)
                }
                text.append(UInt8(ascii: "]"))
            }
        }
        text.append(UInt8(ascii: "\n"))
    }

    /// Why no import makes the value of a column; nil if one does.
    private func fault(in column: Int, _ reader: ExportReader) -> String? {
        let cell = reader.cell(at: column)
        var kind: AttributeType.Kind?
        if case .attribute(let type) = table.rows.columns[column].meaning { kind = type.kind }
        switch cell.kind {
        case .absent, .null: return table.keys.contains(column) ? "is a part of the key and has no value" : nil
        case .real where !cell.real.isFinite: return "is not finite"
        case .real where kind == .date && ISO8601Text.text(of: cell.real) == nil: return "is a date outside of ISO 8601"
        case .blob where kind == nil: return "is binary"
        default: return kind == .transformable ? "is a value of a transformer" : nil
        }
    }
}
