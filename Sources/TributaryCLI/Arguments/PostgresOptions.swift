import TributaryConcurrency
import TributaryPostgres

/// What a command line may say about a database of PostgreSQL.
enum PostgresOptions {
    /// The options of an import that are for PostgreSQL only.
    static let specs = [
        OptionSpec(
            "--connections", as: .number(1, 64), default: "one per processor, at most \(mostConnections)",
            help: "PostgreSQL: connections that write at the same time"),
        OptionSpec(
            "--join",
            help: "PostgreSQL: share the dump with the same command on other machines, which have the same file"),
    ].group(.postgres)

    /// The most connections without the option.
    private static let mostConnections = 4

    /// The settings that `parsed` states.
    static func settings(_ parsed: ParsedOptions) throws(UsageError) -> PostgresSettings {
        var settings = PostgresSettings()
        settings.connections =
            try parsed.number("--connections")
            ?? min(mostConnections, Processors.count)
        settings.joins = parsed.has("--join")
        return settings
    }

    /// Refuses a command or an option that the database cannot be used with, before anything is read.
    static func check(_ parsed: ParsedOptions) throws(UsageError) {
        let into = parsed.text("--into").map(PostgresAddress.isAddress) ?? false
        let operand = parsed.operands.contains(where: PostgresAddress.isAddress)
        guard into || operand else {
            if let option = specs.map(\.name).first(where: parsed.has) {
                throw UsageError("'\(option)' is for PostgreSQL, and the database is a file of SQLite")
            }
            return
        }
        if let reason = commands[parsed.command] {
            throw UsageError("'tributary \(parsed.command)' is not for PostgreSQL: \(reason)")
        }
        if operand, ["import", "retry"].contains(parsed.command) {
            throw UsageError("The address of a database is not a file; write it after --into")
        }
        for (option, reason) in options where parsed.has(option) {
            throw UsageError("'\(option)' is not for PostgreSQL: \(reason)")
        }
    }

    /// Why commands work with SQLite only, and what to do.
    private static let commands = [
        "sync": "nothing there marks the rows of a feed; import, then delete what is missing by a statement of SQL",
        "undo": "old values are not kept there; restore a backup",
        "seed": "seeds make objects of a store; plant them in SQLite",
        "migrate": "change its tables by statements of SQL",
        "model": "it stores no model; name the file of the model",
        "generate": "it stores no model; name the file of the model",
        "query": "use psql to read a database",
        "tables": "use psql to read a database",
        "export": "it reads a file of SQLite; write its tables with row_to_json in psql",
        "records": "it reads files; use psql to read a database",
        "validate": "it reads files; use psql to read a database",
    ]

    /// Why options work with SQLite only, and what to do.
    private static let options = [
        ("--undoable", "old values are not kept there; make a backup first"),
        ("--changes", "old values are not kept there; make a backup first"),
        ("--staged", "import into a table of another name, check it, and rename it"),
        ("--expect-min", "import into a table of another name, check it, and rename it"),
        ("--dry-run", "import into another database to try it"),
        ("--truncate", "empty the table by a statement of SQL, and forget its earlier runs, before the import"),
        ("--first-load", "a new table gets its rows as they come, and its index at the end"),
        ("--relations", "nested objects become rows by a model; otherwise they stay JSON"),
        ("--source-column", "add the column afterwards, or import the files one by one"),
        ("--rest", "members without a column need --add-columns, or are left out with --columns"),
        ("--extended-json", "take the values by their paths, as in --columns 'id=_id.$oid'"),
        ("--search", "make the index with the SQL that docs/postgres.md shows, once: the server keeps it in step"),
        ("--all", "import one place after the other, with --at"),
    ]
}
