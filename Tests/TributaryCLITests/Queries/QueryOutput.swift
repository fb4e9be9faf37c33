import Foundation
import TributaryModel

/// The output of a query, read back from its format.
struct QueryOutput {
    /// A value as it was written.
    enum Cell: Equatable {
        /// JSON, such as `null`, `1.5` or `"a"`.
        case json(String)
        /// Text that is shown as it is.
        case text(String)
        /// Nothing, which is null.
        case nothing
    }

    private(set) var names: [String]?
    private(set) var rows: [[Cell]] = []

    struct Unreadable: Error { let text: String }

    /// Reads the output of a query with some columns.
    init(_ text: String, format: String, columns: [String]) throws {
        switch format {
        case "ndjson", "json":
            var lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            if format == "json" {
                guard lines.first == "[", lines.last == "]" else { throw Unreadable(text: text) }
                lines = lines.dropFirst().dropLast()
            }
            for (index, line) in lines.enumerated() {
                let isLast = index == lines.count - 1
                guard format == "ndjson" || line.hasSuffix(",") == !isLast else { throw Unreadable(text: text) }
                let members = try QueryOutput.members(format == "ndjson" || isLast ? line[...] : line.dropLast())
                names = members.map(\.name)
                rows.append(members.map { .json($0.value) })
            }
        case "csv": readCSV(Array(text.unicodeScalars))
        case "tsv":
            let lines = text.split(separator: Character("\n"), omittingEmptySubsequences: false).dropLast().map {
                line in
                QueryOutput.parts(String(line), at: "\t").map { QueryOutput.unescaped($0) }
            }
            (names, rows) = (lines.first, lines.dropFirst().map { $0.map { .text($0) } })
        case "markdown":
            let lines = text.split(separator: Character("\n"), omittingEmptySubsequences: false).dropLast().map {
                line in
                QueryOutput.parts(String(line).replacing("\\|", with: "\u{0}"), at: "|").dropFirst().dropLast().map {
                    String($0.dropFirst().dropLast()).replacing("\u{0}", with: "|")
                }
            }
            guard lines.count > 1, lines[1].allSatisfy({ $0 == "---" }) else { throw Unreadable(text: text) }
            (names, rows) = (lines[0], lines.dropFirst(2).map { $0.map { .text($0) } })
        default: try readList(text, columns)
        }
    }

    private static func parts(_ text: String, at separator: Unicode.Scalar) -> [String] {
        text.unicodeScalars.split(separator: separator, omittingEmptySubsequences: false).map { String($0) }
    }

    private static func unescaped(_ text: String) -> String {
        var (result, isEscaped) = (String.UnicodeScalarView(), false)
        for scalar in text.unicodeScalars {
            if isEscaped {
                result.append(["t": "\t", "n": "\n", "r": "\r"][scalar] ?? scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    // MARK: Lists and CSV

    private mutating func readList(_ text: String, _ columns: [String]) throws {
        let lines = text.split(separator: Character("\n"), omittingEmptySubsequences: false).dropLast()
        for start in stride(from: 0, to: lines.count, by: columns.count + 1) {
            guard start + columns.count <= lines.count else { throw Unreadable(text: text) }
            rows.append(
                try zip(columns, lines[start..<(start + columns.count)]).map { column, line in
                    guard line.hasPrefix(column) else { throw Unreadable(text: String(line)) }
                    return .text(String(line.unicodeScalars.dropFirst(column.unicodeScalars.count)))
                })
        }
    }

    private mutating func readCSV(_ scalars: [Unicode.Scalar]) {
        var (lines, line): ([[Cell]], [Cell]) = ([], [])
        var (cell, isQuoted, wasQuoted) = (String.UnicodeScalarView(), false, false)
        func finished() -> Cell { cell.isEmpty && !wasQuoted ? .nothing : .text(String(cell)) }
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            index += 1
            if isQuoted {
                if scalar != "\"" {
                    cell.append(scalar)
                } else if index < scalars.count, scalars[index] == "\"" {
                    cell.append(scalar)
                    index += 1
                } else {
                    isQuoted = false
                }
            } else if scalar == "\"" {
                (isQuoted, wasQuoted) = (true, true)
            } else if scalar == "," || scalar == "\n" {
                line.append(finished())
                (cell, wasQuoted) = (String.UnicodeScalarView(), false)
                if scalar == "\n" {
                    lines.append(line)
                    line = []
                }
            } else {
                cell.append(scalar)
            }
        }
        names = lines.first?.map { if case .text(let text) = $0 { text } else { "" } }
        rows = Array(lines.dropFirst())
    }

    // MARK: JSON

    /// The members of an object on one line, each value with its own text.
    private static func members(_ line: Substring) throws -> [(name: String, value: String)] {
        var rest = line.unicodeScalars
        guard rest.popFirst() == "{", rest.popLast() == "}" else { throw Unreadable(text: String(line)) }
        var (members, depth, isText, isEscaped) = ([(String, String)](), 0, false, false)
        var (part, name) = (String.UnicodeScalarView(), nil as String?)
        func end() throws {
            guard let name, let key = string(name) else { throw Unreadable(text: String(line)) }
            members.append((key, String(part)))
        }
        for scalar in rest {
            if isText {
                isText = scalar != "\"" || isEscaped
                isEscaped = scalar == "\\" && !isEscaped
            } else if scalar == "\"" {
                isText = true
            } else if scalar == "{" || scalar == "[" {
                depth += 1
            } else if scalar == "}" || scalar == "]" {
                depth -= 1
            } else if scalar == ":", depth == 0 {
                (name, part) = (String(part), String.UnicodeScalarView())
                continue
            } else if scalar == ",", depth == 0 {
                try end()
                (name, part) = (nil, String.UnicodeScalarView())
                continue
            }
            part.append(scalar)
        }
        try end()
        return members
    }

    /// The text of a string of JSON, as Foundation reads it.
    static func string(_ json: String) -> String? {
        guard json.hasPrefix("\"") else { return nil }
        return try? JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed) as? String
    }
}
