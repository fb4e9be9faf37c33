import Tributary
import TributaryStore
import TributaryJSON

/// `tributary sync`: imports dumps, then deletes what they no longer hold.
package enum SyncCommand {
    /// The options of an import that make no sense for a sync.
    private static let left: Set<String> = [
        "--into", "--mode", "--truncate", "--append", "--limit", "--add-columns", "--rest", "--source-column",
        "--connections", "--join",
    ]

    static let spec = CommandSpec(
        name: "sync",
        summary: "Import dumps, then delete the rows that they once brought and no longer hold",
        operands: "[OPTIONS] FILE... --into DB",
        examples: [
            "tributary sync products.json --into shop.sqlite --key id --dry-run",
            "tributary sync products.json --into shop.sqlite --key id --undoable",
            "tributary sync nl.json --into shop.sqlite --key id --feed nl --max-delete 5%",
        ],
        discussion: """
            It reads and writes as 'tributary import', and remembers which rows came from the feed. After a complete
            run it deletes those that an earlier run of the same feed brought and this one did not, by the delete rules
            of the model. Rows that no sync has brought are never deleted; a row is deleted when no feed holds it
            any more. If a record cannot be read, so that its key is unknown, nothing is deleted (exit code 3); nor
            if more than --max-delete would be: then check the feed, and repeat the command with a higher limit.
            The same command resumes a run that was stopped or killed, and deletes at its end.
            """,
        options: [ImportOptionSpecs.into]
            + ImportCommand.specs.filter { option in !option.names.contains(where: left.contains) } + [
                OptionSpec(
                    "--feed", value: "NAME", help: "Name of the feed (the entities and the places of their records)"),
                OptionSpec(
                    "--scope", value: "FILTER",
                    help: "Delete only rows for which this is true, as in 'country == \"nl\"' (all rows of the feed)"),
                OptionSpec(
                    "--max-delete", value: "N|N%",
                    help:
                        "Delete nothing if more rows, or a greater share of an entity's rows, would go (10% or one row)"
                ),
                OptionSpec(
                    "--soft-delete", value: "FIELD",
                    help: "Set this attribute to the date instead of deleting a row; a record that comes back clears it"
                ),
            ])

    static func command(_ parsed: ParsedOptions) throws(UsageError) -> ImportCommand {
        var sync = SyncOptions(feed: parsed.text("--feed"))
        if let feed = sync.feed, feed.isEmpty { throw UsageError("Option '--feed' takes a name") }
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
        return try ImportCommand(parsed, sync: sync)
    }
}
