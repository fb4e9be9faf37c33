import TributaryImport

extension ImportCommand {
    /// The options of an import.
    static let specs: [OptionSpec] =
        [
            WritingOptions.model,
            OptionSpec(
                "--entity", "--table", value: "NAME",
                help:
                    "Entity or table of the records (from the model, member, file or folder); PLACE=NAME,.. of nested ones"
            ),
        ].group(.target)
        + [
            OptionSpec(
                "--key", "--pk", value: "NAME,..", isRepeatable: true,
                help:
                    "Attributes that identify a record; with --relations also PLACE=NAME for nested objects, as in orders.lines=sku"
            ),
            OptionSpec(
                "--remote-key", value: "PATH,..", isRepeatable: true, default: "as in --key",
                help: "Paths of their values in a record"),
            OptionSpec(
                "--map", value: "FILE",
                help: "Mapping of members to the properties of a model, as --print-map prints it"),
            OptionSpec("--print-map", help: "Print the mapping that would be used as JSON, and import nothing"),
        ].group(.columns)
        + [
            ReadingOptions.at,
            OptionSpec(
                "--all", group: .reading, for: .sqlite("import one place after the other, with --at"),
                help: "Import every array of objects, each into the table of its name"),
            OptionSpec(
                "--route-by", value: "MEMBER", group: .reading,
                for: .sqlite("import the records of one value after the other, with --where and --table"),
                help: "Import the records of each value of this member into the table of its name, as resourceType"),
            OptionSpec(
                "--where", value: "FILTER", group: .rows,
                help: "Skip records for which this is not true, as in 'country == \"nl\" AND address.zip != nil'"),
            OptionSpec(
                "--profile", value: "FILE", group: .reading,
                help: "What 'inspect --json' has told of the same files, so that no option reads them twice"),
        ]
        + [
            WritingOptions.mode(default: ImportOptions().mode.rawValue),
            OptionSpec(
                "--append",
                help:
                    "Without a key: add records of changed files, new lines of grown ones; with a key of a foreign table: all"
            ),
            OptionSpec(
                "--truncate",
                for: .sqlite("empty the table by a statement of SQL, and forget its earlier runs, before the import"),
                help: "Empty the table first, in the same transaction"),
        ].group(.rows)
        + [
            OptionSpec(
                "--search", value: "NAME,..", isRepeatable: true,
                for: .sqlite(
                    "make the index with the SQL that docs/postgres.md shows, once: the server keeps it in step"),
                help:
                    "Make a full-text index of these columns at the end, and keep it in step; TABLE.NAME of other tables"
            ),
            OptionSpec("--add-columns", help: "Add columns to a table of another program for members without one"),
            OptionSpec(
                "--rest", value: "COLUMN",
                for: .sqlite("members without a column need --add-columns, or are left out with --columns"),
                help: "The column of such a table that takes other members, as JSON"),
        ].group(.columns) + InferenceOptions.specs + ColumnOptions.valueSpecs + ColumnOptions.indexSpecs
        + [ReadingOptions.limit("Read at most N records, damaged ones included")]
        + [
            OptionSpec("--restart", help: "Begin an unfinished import from the start"),
            OptionSpec("--again", help: "Run a finished import again"),
            OptionSpec(
                "--dry-run", "-n", for: .sqlite("import into another database to try it"),
                help: "Do everything, then roll the rows back; new tables stay, without rows"),
        ].group(.rows)
        + [
            OptionSpec(
                "--dangling", value: "WHAT",
                as: .cases(
                    of: ImportOptions.Dangling.self, ["wait": "for a later import", "stub": "make an empty one"]),
                default: ImportOptions().dangling.rawValue, help: "References to missing objects"),
            OptionSpec(
                "--undoable", for: .sqlite("old values are not kept there; make a backup first"),
                help: "Keep what the run changes, so that 'tributary undo' can undo it"),
            OptionSpec(
                "--changes", value: "FILE",
                for: .sqlite("old values are not kept there; make a backup first"),
                help: "Write what the run changed to a file at its end, one JSON object a line (implies --undoable)"),
            OptionSpec(
                "--staged",
                for: .sqlite("import into a table of another name, check it, and rename it"),
                help: "Import into a copy, check it, and write it back in one transaction: readers see all or nothing"),
            OptionSpec(
                "--expect-min", as: .number(0),
                for: .sqlite("import into a table of another name, check it, and rename it"),
                help: "With --staged: write nothing back if the table has fewer rows in the end"),
            OptionSpec("--allow-empty", help: "Accept standard input without a byte, and with --truncate empty files"),
        ].group(.errors)
        + [
            OptionSpec(
                "--first-load", value: "MODE",
                as: .words(
                    firstLoads.keys.sorted(), ["auto": "by size", "direct": "at the end", "groups": "as they come"]),
                default: "auto", listing: .firstAtEnd,
                for: .sqlite("a new table gets its rows as they come, and its index at the end"),
                help: "Rows of an empty table appear")
        ].group(.pace) + PostgresOptions.specs + WritingOptions.working
        + [ReadingOptions.format, ReadingOptions.keyAs] + ReadingOptions.conversion + ReadingOptions.specs

    /// The values of `--first-load`.
    static let firstLoads = ["auto": ImportOptions.FirstLoad.automatic, "direct": .direct, "groups": .inGroups]
}
