import TributaryImport
import TributaryJSON
import TributarySQLite
import TributaryStore

/// Writes the rows of a query as a table, which is cut to the width of a terminal.
final class QueryTable {
    private let cursor: ValueCursor
    private let terminal: TerminalText
    /// Whether text that is too long is cut; otherwise it makes its line longer.
    private let isCut: Bool
    /// The columns that are shown.
    private var shown = 0
    private var hasCutText = false

    /// The rows whose values decide the widths, and the bytes of their lines.
    private static let sample = (rows: 1000, bytes: 4 << 20)
    /// The bytes of a value that a terminal can show.
    private static let mostBytes = 4096
    /// The least width of a column with longer values.
    private static let leastWidth = 8

    private struct Cell {
        let text: String
        let isNumber: Bool
    }

    /// A table of the rows of a query; only a terminal needs it to be cut.
    init(_ cursor: ValueCursor, _ terminal: TerminalText, isCut: Bool) {
        (self.cursor, self.terminal, self.isCut) = (cursor, terminal, isCut)
    }

    /// What the table does not show; nil if it shows all.
    var note: String? {
        let missing = cursor.columns.count - shown
        let parts = [
            hasCutText ? "long text is cut" : nil,
            missing > 0 ? "\(FigureText.counted(missing, "column")) left out" : nil,
        ].compactMap(\.self)
        return parts.isEmpty ? nil : "\(parts.joined(separator: ", ")) (--format list, or a pipe, shows all)"
    }

    /// Writes at most so many rows; returns whether there are more.
    func write(to output: OutputFile, most: Int) throws -> Bool {
        let names = cursor.columns.map { terminal.plain(Excerpt.escape($0.name)) }
        var rows: [[Cell]] = []
        var (bytes, isAtEnd) = (0, false)
        while rows.count < min(most, QueryTable.sample.rows), bytes < QueryTable.sample.bytes, !isAtEnd {
            isAtEnd = try !cursor.next()
            guard !isAtEnd else { break }
            let row = row()
            bytes += row.reduce(0) { $0 + $1.text.utf8.count }
            rows.append(row)
        }
        let widths = widths(names, rows)
        shown = widths.count
        let isRight = widths.indices.map { column in
            rows.contains { $0[column].isNumber } && rows.allSatisfy { $0[column].isNumber || $0[column].text.isEmpty }
        }
        let head = line(names.map { Cell(text: $0, isNumber: false) }, widths, isRight)
        try output.write { $0 += "\(terminal.bold(head))\n".utf8 }
        for row in rows { try output.write { $0 += "\(line(row, widths, isRight))\n".utf8 } }
        var written = rows.count
        rows = []
        while !isAtEnd, try cursor.next() {
            if written == most { return true }
            try output.write { $0 += "\(line(row(), widths, isRight))\n".utf8 }
            written += 1
        }
        return false
    }

    /// Whether a column of the current row has a number; the text of true and of infinity begins with a letter.
    private func isNumeric(_ column: Int) -> Bool {
        let kind = cursor.cell(at: column).kind
        return kind == .integer || kind == .real || cursor.columns[column].meaning == .attribute(.decimal)
    }

    private func row() -> [Cell] {
        cursor.columns.indices.map { column in
            var bytes: [UInt8] = []
            ResultText.appendText(column, of: cursor, to: &bytes)
            let text = bytes.withUnsafeBytes { all in
                let count = isCut ? min(all.count, QueryTable.mostBytes) : all.count
                return Excerpt.escape(UnsafeRawBufferPointer(rebasing: all[..<count]))
            }
            let isNumber = isNumeric(column) && bytes.first.map { $0 < UInt8(ascii: "A") } ?? false
            return Cell(text: terminal.plain(text), isNumber: isNumber)
        }
    }

    /// The widths of the columns that are shown: of their longest values, or less where a terminal is narrower.
    private func widths(_ names: [String], _ rows: [[Cell]]) -> [Int] {
        var widths = names.indices.map { column in
            max(1, TerminalText.width(names[column]), rows.map { TerminalText.width($0[column].text) }.max() ?? 0)
        }
        guard isCut else { return widths }
        func total(_ most: Int) -> Int { widths.reduce(-2) { $0 + min($1, most) + 2 } }
        var most = widths.max() ?? 0
        while most > QueryTable.leastWidth, total(most) > terminal.width { most -= 1 }
        widths = widths.map { min($0, most) }
        while widths.count > 1, total(most) > terminal.width { widths.removeLast() }
        return widths
    }

    private func line(_ cells: [Cell], _ widths: [Int], _ isRight: [Bool]) -> String {
        let parts = zip(cells, zip(widths, isRight)).map { cell, place in
            let (width, isRight) = place
            let length = TerminalText.width(cell.text)
            if length > width {
                guard isCut else { return cell.text }
                hasCutText = true
            }
            return terminal.fit(cell.text, width, isRight: isRight)
        }
        let line = parts.joined(separator: "  ")
        return String(line.reversed().drop { $0 == " " }.reversed())
    }
}
