extension ImportCommand {
    /// The options of an import.
    static let specs: [OptionSpec] =
        [
            ImportOptionSpecs.intoAny,
            ImportOptionSpecs.model,
            OptionSpec(
                "--entity", "--table", value: "NAME",
                help:
                    "Entity or table of the records (from the model, member, file or folder); PLACE=NAME,.. of nested ones"
            ),
            OptionSpec(
                "--key", "--pk", value: "NAME,..", isRepeatable: true,
                help:
                    "Attributes that identify a record; with --relations also PLACE=NAME for nested objects, as in orders.lines=sku"
            ),
            OptionSpec(
                "--remote-key", value: "PATH,..", isRepeatable: true,
                help: "Paths of their values in a record (as in --key)"),
            OptionSpec(
                "--map", value: "FILE",
                help: "Mapping of members to the properties of a model, as --print-map prints it"),
            OptionSpec("--print-map", help: "Print the mapping that would be used as JSON, and import nothing"),
            OptionSpec(
                "--dangling", value: "WHAT",
                help: "References to missing objects: wait (for a later import), stub (make an empty one), null (wait)"),
            OptionSpec("--at", value: "PATH", help: "Path of the records"),
            OptionSpec("--all", help: "Import every array of objects, each into the table of its name"),
            OptionSpec(
                "--mode", value: "MODE",
                help: "How to write records: upsert, insert, update, ignore, replace (upsert)"),
            OptionSpec(
                "--first-load", value: "MODE",
                help: "Rows of an empty table appear: direct (at the end), groups (as they come), auto (by size) (auto)"
            ),
            OptionSpec(
                "--append",
                help:
                    "Without a key: add records of changed files, new lines of grown ones; with a key of a foreign table: all"
            ),
            OptionSpec("--truncate", help: "Empty the table first, in the same transaction"),
            OptionSpec("--add-columns", help: "Add columns to a table of another program for members without one"),
            OptionSpec(
                "--rest", value: "COLUMN", help: "The column of such a table that takes other members, as JSON"),
            OptionSpec(
                "--types", value: "NAME=TYPE,..", isRepeatable: true,
                help: "Types of inferred columns: integer, real, numeric, text, any; or a file, one NAME=TYPE a line"),
            OptionSpec(
                "--numbers", value: "MODE",
                help: "Decimals beyond a double in inferred columns: rounded (and counted), exact (as text) (rounded)"),
            OptionSpec(
                "--flatten", value: "SEP", defaultValue: "_",
                help: "Make columns of the members of nested objects, as in address_city"),
            OptionSpec(
                "--relations", value: "all", defaultValue: "keyed",
                help:
                    "Make tables of nested objects and arrays of objects that have an id; =all also of those without one"
            ),
            OptionSpec(
                "--columns", value: "NAME=PATH,..", isRepeatable: true,
                help: "Only these columns, with the paths of their values, as in city=address.city or id"),
            OptionSpec(
                "--source-column", value: "NAME", help: "The column that gets the name of the file of each record"),
            OptionSpec(
                "--extended-json", help: "Read the types of MongoDB at every level: {\"$numberLong\": \"5\"} becomes 5"),
            OptionSpec("--limit", "--stop-after", value: "N", help: "Read at most N records, damaged ones included"),
            OptionSpec("--restart", help: "Begin an unfinished import from the start"),
            OptionSpec("--again", help: "Run a finished import again"),
            OptionSpec(
                "--dry-run", "-n", help: "Do everything, then roll the rows back; new tables stay, without rows"),
            OptionSpec(
                "--undoable", help: "Keep what the run changes, so that 'tributary undo' can undo it"),
            OptionSpec(
                "--changes", value: "FILE",
                help: "Write what the run changed to a file at its end, one JSON object a line (implies --undoable)"),
            OptionSpec(
                "--staged",
                help: "Import into a copy, check it, and write it back in one transaction: readers see all or nothing"),
            OptionSpec(
                "--expect-min", value: "N",
                help: "With --staged: write nothing back if the table has fewer rows in the end"),
            OptionSpec("--allow-empty", help: "Accept standard input without a byte, and with --truncate empty files"),
        ] + PostgresOptions.specs + ImportOptionSpecs.working + [ReadingOptions.format, ReadingOptions.keyAs]
        + ReadingOptions.conversion + ReadingOptions.specs
}
