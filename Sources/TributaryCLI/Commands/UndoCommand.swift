import TributaryImport
import Foundation
import TributarySQLite

/// `tributary undo`: undoes a run that was made with `--undoable`.
package struct UndoCommand: Command {
    package static let spec = CommandSpec(
        name: "undo",
        summary: "Undo a run that was made with --undoable",
        operands: "[OPTIONS] DB",
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
                "--run", as: .number(), group: .rows,
                help: "The run to undo, instead of the latest one made with --undoable"),
            OptionSpec("--dry-run", "-n", group: .rows, help: "Show what would change, and change nothing"),
        ] + OutputOptions.specs("outcome"),
        noPostgres: "old values are not kept there; restore a backup")

    /// The most rows that are listed as text.
    private static let listed = 20

    /// The database.
    package let database: String
    package let runNumber: Int?
    private let isDryRun: Bool
    private let output: OutputOptions

    package init(_ parsed: ParsedOptions) throws(UsageError) {
        database = try parsed.database().text
        runNumber = try parsed.number("--run")
        isDryRun = parsed.has("--dry-run")
        output = try OutputOptions(parsed)
    }

    package func run() throws -> Int32 {
        let opened = try StoredDatabase.open(database)
        defer { opened.store.closeWithoutLog() }
        let summary = try opened.imports.undo(run: runNumber, isDryRun: isDryRun)
        try output.print(json: json(summary), text: text(summary))
        let isChanged = [summary.deleted, summary.restored, summary.inserted].contains { !$0.isEmpty }
        if isDryRun, isChanged, !output.isQuiet {
            var console = Console()
            console.say("to do it, run: \(CommandText.line("undo", [database], ["--run", "\(summary.run)"]))")
        }
        if summary.keptCount > 0 { return ExitCode.attention }
        return isDryRun && isChanged ? ExitCode.changes : ExitCode.success
    }

    private func text(_ summary: UndoSummary) -> String {
        let parts = [
            ("deleted", summary.deleted), ("restored", summary.restored), ("inserted again", summary.inserted),
        ]
        let done = parts.filter { !$0.1.isEmpty }.map { "\($0.0): \(SummaryReport.tables($0.1))" }
        var text = isDryRun ? "run \(summary.run) would be undone" : "run \(summary.run) is undone"
        text += done.isEmpty ? "; it has changed nothing\n" : "\n" + done.map { "    \($0)\n" }.joined()
        guard summary.keptCount > 0 else { return text }
        text += "left as they are: \(FigureText.grouped(summary.keptCount))\n"
        for row in summary.kept.prefix(UndoCommand.listed) {
            let key = row.key.map { ChangesText.text($0, Excerpt.escape) }.joined(separator: ", ")
            text += "    \(Excerpt.escape(row.table)) \(key): \(row.reason)\n"
        }
        let hidden = summary.keptCount - min(UndoCommand.listed, summary.kept.count)
        if hidden > 0 { text += "    and \(FigureText.grouped(hidden)) more\n" }
        return text
    }

    private func json(_ summary: UndoSummary) -> [UInt8] {
        var writer = JSONLineWriter()
        writer.add("run", summary.run)
        writer.add("deleted", summary.deleted)
        writer.add("restored", summary.restored)
        writer.add("inserted", summary.inserted)
        writer.add("kept", summary.keptCount)
        let rows = summary.kept.map { row in
            JSONLineWriter.object { line in
                line.add("table", row.table)
                line.add("key", json: JSONLineWriter.array(row.key.map(UndoCommand.json)))
                line.add("reason", row.reason)
            }
        }
        writer.add("rows", json: JSONLineWriter.array(rows))
        return writer.finish()
    }

    /// A value of a key: whole numbers and null as such, and others as text.
    private static func json(_ value: SQLValue) -> [UInt8] {
        let text = ChangesText.text(value, Excerpt.escape)
        return switch value {
        case .integer, .null: Array(text.utf8)
        default: JSONLineWriter.quoted(text)
        }
    }
}
