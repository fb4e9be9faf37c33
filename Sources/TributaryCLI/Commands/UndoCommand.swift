import Foundation
import Tributary
import TributaryJSON
import TributarySQLite

/// `tributary undo`: undoes a run that was made with `--undoable`.
package struct UndoCommand {
    static let spec = CommandSpec(
        name: "undo",
        summary: "Undo a run that was made with --undoable",
        operands: "[OPTIONS] DB [--run N]",
        examples: [
            "tributary undo app.sqlite --dry-run",
            "tributary undo app.sqlite --run 7",
        ],
        discussion: """
            Rows that the run has made are deleted; rows that it has changed or deleted have their earlier values
            again. Rows that were edited since, by any program, are left as they are and listed, and so are rows that
            others refer to (exit code 3). Only the newest run into its tables can be undone; columns that it
            has added stay. Triggers of the tables run, so search indexes and audit
            tables follow. Afterwards the same import starts from the beginning.
            """,
        options: [
            OptionSpec(
                "--run", value: "N", help: "The run to undo, instead of the latest one made with --undoable"),
            OptionSpec("--dry-run", "-n", help: "Show what would change, and change nothing"),
            OptionSpec("--json", help: "Print the outcome as one JSON object"),
            OptionSpec("--quiet", "-q", "--silent", help: "Print only errors"),
        ])

    /// The most rows that are listed as text.
    private static let listed = 20

    /// The database.
    package let database: String
    package let run: Int?
    private let isDryRun: Bool
    private let isJSON: Bool
    private let isQuiet: Bool

    init(_ parsed: ParsedOptions) throws(UsageError) {
        database = try parsed.database("tributary undo DB").text
        run = try parsed.number("--run", atLeast: 1)
        isDryRun = parsed.has("--dry-run")
        isJSON = parsed.has("--json")
        isQuiet = parsed.has("--quiet")
    }

    func perform() throws -> Int32 {
        let manager = try StoredDatabase.open(database)
        defer { StoredDatabase.close(manager) }
        let summary = try manager.imports.undo(run: run, isDryRun: isDryRun)
        let output = OutputFile.standardOutput()
        if isJSON {
            try output.write { $0 += json(summary) }
        } else if !isQuiet {
            try output.write { $0 += Array(text(summary).utf8) }
        }
        try output.flush()
        let isChanged = [summary.deleted, summary.restored, summary.inserted].contains { !$0.isEmpty }
        if isDryRun, isChanged { return ExitCode.changes }
        return summary.keptCount > 0 ? ExitCode.attention : ExitCode.success
    }

    private func text(_ summary: UndoSummary) -> String {
        let parts = [
            ("deleted", summary.deleted), ("restored", summary.restored), ("inserted again", summary.inserted),
        ]
        let done = parts.filter { !$0.1.isEmpty }.map { name, counts in
            let tables = counts.sorted { $0.key < $1.key }.map {
                "\(Excerpt.escape($0.key)) \(Progress.grouped($0.value))"
            }
            return "\(name): \(tables.joined(separator: ", "))"
        }
        var text = isDryRun ? "run \(summary.run) would be undone" : "run \(summary.run) is undone"
        text += done.isEmpty ? "; it has changed nothing\n" : "\n" + done.map { "    \($0)\n" }.joined()
        guard summary.keptCount > 0 else { return text }
        text += "left as they are: \(Progress.grouped(summary.keptCount))\n"
        for row in summary.kept.prefix(UndoCommand.listed) {
            let key = row.key.map(UndoCommand.text).joined(separator: ", ")
            text += "    \(Excerpt.escape(row.table)) \(key): \(row.reason)\n"
        }
        let hidden = summary.keptCount - min(UndoCommand.listed, summary.kept.count)
        if hidden > 0 { text += "    and \(Progress.grouped(hidden)) more\n" }
        return text
    }

    private static func text(_ value: SQLValue) -> String {
        switch value {
        case .null: "null"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): Excerpt.escape(text)
        case .blob(let bytes): "\(bytes.count) bytes"
        }
    }

    private func json(_ summary: UndoSummary) -> [UInt8] {
        func counts(_ counts: [String: Int]) -> [UInt8] {
            var writer = JSONLineWriter()
            for (table, count) in counts.sorted(by: { $0.key < $1.key }) { writer.add(table, count) }
            return Array(writer.finish().dropLast())
        }
        var writer = JSONLineWriter()
        writer.add("run", summary.run)
        writer.add("deleted", json: counts(summary.deleted))
        writer.add("restored", json: counts(summary.restored))
        writer.add("inserted", json: counts(summary.inserted))
        writer.add("kept", summary.keptCount)
        var rows = Array("[".utf8)
        for (index, row) in summary.kept.enumerated() {
            if index > 0 { rows.append(UInt8(ascii: ",")) }
            var key = Array("[".utf8)
            for (index, value) in row.key.enumerated() {
                if index > 0 { key.append(UInt8(ascii: ",")) }
                switch value {
                case .integer(let number): key += Array("\(number)".utf8)
                case .null: key += Array("null".utf8)
                default: key += JSONLineWriter.quoted(UndoCommand.text(value))
                }
            }
            var line = JSONLineWriter()
            line.add("table", row.table)
            line.add("key", json: key + Array("]".utf8))
            line.add("reason", row.reason)
            rows += line.finish().dropLast()
        }
        writer.add("rows", json: rows + Array("]".utf8))
        return writer.finish()
    }
}
