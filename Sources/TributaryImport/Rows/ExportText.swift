import TributaryJSON
import TributarySQLite
package import TributaryStore

/// Writes the objects of a table as lines of JSON, from which an import makes the same objects.
///
///     {"isbn":"a","title":"Emma","author":7,"tags":["b","a"]}
package final class ExportText {
    /// A relationship with a query of its own.
    private struct Part {
        /// The member, in quotes and with a colon.
        let start: [UInt8]
        let part: ExportTable.Part
        /// How keys are written.
        let form: RowText.Form
        /// Writes the nested objects; nil for keys.
        let text: ExportText?
    }

    private let table: ExportTable
    private let row: RowText
    private let parts: [Part]
    /// A column whose values may be some that no import makes.
    private struct Check {
        let column: Int
        let isKey: Bool
        let isDate: Bool
        let isTransformable: Bool
        /// Whether values have no type.
        let isInferred: Bool
    }

    private let checks: [Check]

    /// Writes the objects of a table.
    package init(_ table: ExportTable) {
        self.table = table
        row = RowText(table.rows)
        parts = table.parts.map {
            Part(
                start: JSONLineWriter.quoted($0.name) + [UInt8(ascii: ":")], part: $0,
                form: RowText.Form($0.meaning), text: $0.table.map { ExportText($0) })
        }
        let columns = table.entity == nil ? [] : table.rows.columns
        checks = columns.enumerated().compactMap { index, column in
            var kind: AttributeType.Kind?
            if case .attribute(let type) = column.meaning { kind = type.kind }
            let isKey = table.keys.contains(index)
            let isTyped = kind.map { [.double, .float, .date, .transformable].contains($0) } ?? false
            guard isKey || isTyped || column.meaning == .inferred else { return nil }
            return Check(
                column: index, isKey: isKey, isDate: kind == .date, isTransformable: kind == .transformable,
                isInferred: kind == nil)
        }
    }

    /// Appends the current row of a reader as a line.
    ///
    /// - Throws: `ImportError` if no import would make the row.
    package func append(from reader: ExportReader, to text: inout TextBuffer) throws {
        try append(reader.cells, from: reader, to: &text)
        text.append(UInt8(ascii: "\n"))
    }

    /// Appends an object, and those inside of it.
    private func append(
        _ cells: UnsafeBufferPointer<SQLCell>, from reader: ExportReader, to text: inout TextBuffer
    ) throws {
        for check in checks {
            guard let fault = fault(of: check, cells[check.column]) else { continue }
            let (name, key) = (table.rows.columns[check.column].name, cells[table.rows.columns.count].integer)
            throw ImportError(
                .route, "\(table.name) with the _pk \(key): \(name) \(fault), and no import makes such a row",
                hint: "change the value, or delete the row")
        }
        guard !parts.isEmpty else { return row.append(cells, to: &text) }
        try row.append(cells, to: &text) { text in
            for part in parts { try append(part, in: cells[table.rows.columns.count].integer, from: reader, to: &text) }
        }
    }

    /// Appends the keys or objects of a relationship.
    private func append(
        _ part: Part, in owner: Int64, from reader: ExportReader, to text: inout TextBuffer
    ) throws {
        RowText.separate(&text)
        text.append(part.start)
        if part.part.isToMany { text.append(UInt8(ascii: "[")) }
        let start = text.count
        try reader.forEach(of: part.part, in: owner) { cells in
            if text.count > start { text.append(UInt8(ascii: ",")) }
            if let inner = part.text {
                try inner.append(cells, from: reader, to: &text)
            } else {
                RowText.append(cells[0], part.form, to: &text)
            }
        }
        if part.part.isToMany { text.append(UInt8(ascii: "]")) } else if text.count == start { text.append("null") }
    }

    /// Why no import makes the value of a column; nil if one does.
    private func fault(of check: Check, _ cell: SQLCell) -> String? {
        switch cell.kind {
        case .absent, .null: return check.isKey ? "is a part of the key and has no value" : nil
        case .real where !cell.real.isFinite: return "is not finite"
        case .real where check.isDate && !ISO8601Text.isPossible(cell.real): return "is a date outside of ISO 8601"
        case .blob where check.isInferred: return "is binary"
        default: return check.isTransformable ? "is a value of a transformer" : nil
        }
    }
}
