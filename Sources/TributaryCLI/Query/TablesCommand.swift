import TributaryJSON
import TributaryStore

/// `tributary tables`: lists the tables of a database.
package struct TablesCommand: StoppableCommand {
    /// The help and the options.
    package static let spec = CommandSpec(
        name: "tables",
        summary: "List the tables of a database: rows, columns, keys, relations, sizes",
        operands: "[OPTIONS] DB",
        examples: ["tributary tables app.sqlite", "tributary tables app.sqlite --json | jq -r '.tables[].name'"],
        discussion: """
            DB is any database of SQLite, which is only read. Tables of this library and their own columns are left out.
            At most 10,000,000 rows of a table are counted ('tributary query DB TABLE --count' counts all), and views are
            not. Sizes are those of whole pages, and left out for a database of more than 1 GiB.
            """,
        options: [OutputOptions.json("tables")], noPostgres: "use psql to read a database")

    /// The path of the database.
    let database: String
    /// Whether the list is JSON.
    let isJSON: Bool

    /// The command of a command line.
    package init(_ parsed: ParsedOptions) throws(UsageError) {
        database = try parsed.database().text
        isJSON = parsed.has("--json")
    }

    /// Prints until the end, or until `signals` stops it.
    func run(_ signals: StopSignals) throws -> Int32 {
        guard let opened = try QueryableDatabase(database) else {
            throw StoredDatabase.absent(database)
        }
        opened.stop { signals.exitCode != nil }
        do {
            let tables = try opened.summaries()
            let output = OutputFile(stop: signals.descriptor)
            try output.write { bytes in
                bytes += isJSON ? TablesReport.json(tables) : Array(TablesReport.text(tables, TerminalText()).utf8)
            }
            try output.flush()
        } catch  where signals.exitCode != nil {}
        return signals.exitCode ?? ExitCode.success
    }
}
