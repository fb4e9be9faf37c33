import TributaryImport

/// `tributary sync`: imports dumps, then deletes what they no longer hold.
package struct SyncCommand: StoppableCommand {
    /// The options of an import that make no sense for a sync.
    private static let left: Set<String> = [
        "--mode", "--truncate", "--append", "--limit", "--add-columns", "--rest", "--source-column",
        "--connections", "--join",
    ]

    package static let spec = CommandSpec(
        name: "sync",
        summary: "Import dumps, then delete the rows that they once brought and no longer hold",
        operands: "[OPTIONS] DB FILE...",
        examples: [
            "tributary sync shop.sqlite products.json --key id --dry-run",
            "tributary sync shop.sqlite products.json --key id --undoable",
            "tributary sync shop.sqlite nl.json --key id --feed nl --max-delete 5%",
        ],
        discussion: """
            It reads and writes as 'tributary import', and remembers which rows came from the feed. After a complete
            run it deletes those that an earlier run of the same feed brought and this one did not, by the delete rules
            of the model. Rows that no sync has brought are never deleted; a row is deleted when no feed holds it
            any more. If a record cannot be read, so that its key is unknown, nothing is deleted (exit code 3); nor
            if more than --max-delete would be: then check the feed, and repeat the command with a higher limit.
            The same command resumes a run that was stopped or killed, and deletes at its end.
            """,
        options: ImportCommand.specs.filter { option in !option.names.contains(where: left.contains) } + [
            OptionSpec(
                "--feed", value: "NAME", group: .rows, default: "the entities and the places of their records",
                help: "Name of the feed"),
            OptionSpec(
                "--scope", value: "FILTER", group: .rows, default: "all rows of the feed",
                help: "Delete only rows for which this is true, as in 'country == \"nl\"'"),
            OptionSpec(
                "--max-delete", value: "N|N%", group: .rows, default: "10% or one row",
                help: "Delete nothing if more rows, or a greater share of an entity's rows, would go"),
            OptionSpec(
                "--soft-delete", value: "FIELD", group: .rows,
                help: "Set this attribute to the date instead of deleting a row; a record that comes back clears it"
            ),
        ],
        common: ImportCommand.common.subtracting(["--mode"]).union(["--feed", "--max-delete", "--undoable"]),
        noPostgres:
            "nothing there marks the rows of a feed; import, then delete what is missing by a statement of SQL")

    private let command: ImportCommand

    package init(_ parsed: ParsedOptions) throws(UsageError) {
        var sync = SyncOptions(feed: parsed.text("--feed"))
        if let text = parsed.text("--scope") {
            do {
                sync.scope = try Filter(format: text)
            } catch {
                throw UsageError("Option '--scope' takes a filter: \(error)")
            }
        }
        if let text = parsed.text("--max-delete") {
            guard let limit = SyncOptions.Limit(text) else {
                throw UsageError("Option '--max-delete' takes a number or a share such as 100 or 2.5%, not '\(text)'")
            }
            sync.limit = limit
        }
        sync.softDelete = parsed.text("--soft-delete")
        command = try ImportCommand(parsed, sync: sync)
    }

    func run(_ signals: StopSignals) throws -> Int32 { try command.run(signals) }
}
