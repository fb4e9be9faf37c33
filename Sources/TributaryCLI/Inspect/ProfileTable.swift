import TributaryImport

/// The table about a dump, fitted to a width.
struct ProfileTable {
    private let terminal: TerminalText
    private let words: ProfileWords
    private let findings: ProfileFindings

    /// The parts into which a distribution is divided.
    private static let bars = 8

    init(_ findings: ProfileFindings, _ words: ProfileWords, _ terminal: TerminalText) {
        (self.findings, self.words, self.terminal) = (findings, words, terminal)
    }

    /// The lines of the table.
    var lines: [String] {
        let rows = ProfileRow.all(of: findings.profile)
        guard !rows.isEmpty else { return [] }
        let cells = rows.map { row in
            Cells(
                path: row.name, filled: FigureText.percent(row.filled.count, of: row.filled.of),
                kind: ProfileWords.kind(row),
                different: findings.different(row),
                bars: terminal.bars(ProfileTable.distribution(row)),
                values: (findings.remarks(row.path) + [words.values(row)].filter { !$0.isEmpty })
                    .joined(separator: " · "))
        }
        let widths = Widths(cells, terminal.width)
        let head = Cells(
            path: findings.place, filled: "filled", kind: "kind", different: "different", bars: "spread",
            values: "values")
        return [terminal.bold(line(head, widths))] + cells.map { line($0, widths) }
    }

    private struct Cells {
        let path, filled, kind, different, bars, values: String
    }

    private struct Widths {
        var path, kind, different, bars, values: Int
        let filled = 7

        init(_ cells: [Cells], _ width: Int) {
            func longest(_ part: KeyPath<Cells, String>, _ least: Int, _ most: Int) -> Int {
                min(most, max(least, cells.map { TerminalText.width($0[keyPath: part]) }.max() ?? 0))
            }
            path = longest(\.path, 8, max(12, width * 3 / 10))
            kind = longest(\.kind, 4, width < 80 ? 9 : 22)
            different = width < 70 ? 0 : longest(\.different, 9, 13)
            bars = width < 90 ? 0 : ProfileTable.bars
            values = 0
            let used =
                path + filled + kind + different + bars + 2 * ([path, filled, kind, different, bars].count { $0 > 0 })
            values = max(8, width - used)
        }
    }

    private func line(_ cells: Cells, _ widths: Widths) -> String {
        var parts = [
            terminal.fit(cells.path, widths.path), terminal.fit(cells.filled, widths.filled, isRight: true),
            terminal.fit(cells.kind, widths.kind),
        ]
        if widths.different > 0 { parts.append(terminal.fit(cells.different, widths.different, isRight: true)) }
        if widths.bars > 0 { parts.append(terminal.fit(cells.bars, widths.bars)) }
        parts.append(terminal.fit(cells.values, widths.values))
        let line = parts.joined(separator: "  ")
        return String(line.reversed().drop { $0 == " " }.reversed())
    }

    /// How the values are distributed: numbers and dates by size, texts by length.
    static func distribution(_ row: ProfileRow, _ bars: Int = ProfileTable.bars) -> [Double] {
        guard let values = row.profile.values else { return [] }
        if let numbers = values.numbers, numbers.count >= values.texts?.count ?? 0 { return numbers.bars(bars) }
        guard let texts = values.texts else { return [] }
        let type = row.profile.type
        return type == .date || type == .dateTime ? texts.dateBars(bars) : texts.bars(bars)
    }
}
