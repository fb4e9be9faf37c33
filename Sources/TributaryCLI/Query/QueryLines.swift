import TributaryImport
import TributaryJSON
import TributaryStore

/// Writes the rows of a query one by one, in a form that needs no other row.
struct QueryLines {
    private let format: QueryFormat
    private let cursor: ValueCursor
    private let names: [String]
    /// The names as the members of JSON begin, or as a list has them.
    private let labels: [[UInt8]]

    /// Lines in any form but that of a table.
    init(_ format: QueryFormat, _ cursor: ValueCursor) {
        (self.format, self.cursor) = (format, cursor)
        names = cursor.columns.map(\.name)
        let shown = names.map { Excerpt.escape($0) }
        let width = shown.map(TerminalText.width).max() ?? 0
        labels = zip(names, shown).map { name, shown in
            guard format == .list else { return JSONLineWriter.quoted(name) + ":".utf8 }
            return Array((shown + String(repeating: " ", count: width - TerminalText.width(shown) + 2)).utf8)
        }
    }

    /// Writes all rows.
    func write(to output: OutputFile) throws {
        try output.write(head)
        var isFirst = true
        // An element of an array is followed by a comma if there is another one.
        var held: [UInt8] = []
        while try cursor.next() {
            if format == .json {
                if !isFirst { try output.write { $0 += held + Array(",\n".utf8) } }
                held.removeAll(keepingCapacity: true)
                appendObject(to: &held)
            } else {
                try output.write { append(to: &$0, isFirst) }
            }
            isFirst = false
        }
        try output.write { bytes in
            if format == .json { bytes += held + Array((isFirst ? "]\n" : "\n]\n").utf8) }
        }
        try output.flush()
    }

    private func head(_ bytes: inout [UInt8]) {
        switch format {
        case .json: bytes += "[\n".utf8
        case .csv, .tsv:
            for (index, name) in names.enumerated() {
                if index > 0 { bytes.append(separator) }
                bytes += format == .csv ? QueryLines.csv(Array(name.utf8)) : QueryLines.tsv(Array(name.utf8))
            }
            bytes.append(QueryLines.lineFeed)
        case .markdown:
            bytes += "|\(names.map { " \(QueryLines.markdown(Array($0.utf8))) |" }.joined())\n".utf8
            bytes += "|\(names.map { _ in " --- |" }.joined())\n".utf8
        case .table, .ndjson, .list: break
        }
    }

    private func append(to bytes: inout [UInt8], _ isFirst: Bool) {
        switch format {
        case .ndjson, .json, .table: appendObject(to: &bytes)
        case .csv, .tsv:
            for column in names.indices {
                if column > 0 { bytes.append(separator) }
                var value: [UInt8] = []
                let isNull = ResultText.appendText(column, of: cursor, to: &value)
                // A line without anything would be no row.
                let isEmptyLine = isNull && names.count == 1
                if format == .tsv {
                    bytes += QueryLines.tsv(value)
                } else if !isNull || isEmptyLine {
                    bytes += QueryLines.csv(value)
                }
            }
        case .markdown:
            bytes += "|".utf8
            for column in names.indices { bytes += " \(QueryLines.markdown(text(column))) |".utf8 }
        case .list:
            if !isFirst { bytes.append(QueryLines.lineFeed) }
            for column in names.indices {
                if column > 0 { bytes.append(QueryLines.lineFeed) }
                let value = text(column)
                bytes += labels[column]
                bytes += QueryLines.shown(value).utf8
            }
        }
        bytes.append(QueryLines.lineFeed)
    }

    private func text(_ column: Int) -> [UInt8] {
        var value: [UInt8] = []
        ResultText.appendText(column, of: cursor, to: &value)
        return value
    }

    private func appendObject(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        for column in names.indices {
            if column > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += labels[column]
            ResultText.appendJSON(column, of: cursor, to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    // MARK: Values

    private static let lineFeed = UInt8(ascii: "\n")
    private var separator: UInt8 { format == .csv ? UInt8(ascii: ",") : UInt8(ascii: "\t") }

    /// A value without characters that a terminal would interpret.
    private static func shown(_ value: [UInt8]) -> String { value.withUnsafeBytes { Excerpt.escape($0) } }

    /// A value in quotes if it has a separator, and if it is empty, since nothing is null.
    private static func csv(_ value: [UInt8]) -> [UInt8] {
        let quote = UInt8(ascii: "\"")
        guard value.isEmpty || value.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return value }
        return [quote] + value.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
    }

    /// A value with escapes for its separators.
    private static func tsv(_ value: [UInt8]) -> [UInt8] {
        let escapes: [UInt8: String] = [
            UInt8(ascii: "\t"): "\\t", UInt8(ascii: "\n"): "\\n", UInt8(ascii: "\r"): "\\r", UInt8(ascii: "\\"): "\\\\",
        ]
        guard value.contains(where: { escapes[$0] != nil }) else { return value }
        return value.flatMap { byte in escapes[byte].map { Array($0.utf8) } ?? [byte] }
    }

    /// A value on one line, without the ends of cells.
    private static func markdown(_ value: [UInt8]) -> String { shown(value).replacing("|", with: "\\|") }
}
