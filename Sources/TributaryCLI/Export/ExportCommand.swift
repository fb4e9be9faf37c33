import TributaryImport
import TributaryJSON

/// `tributary export`: writes the objects of a database as JSON files from which an import makes the same objects.
package struct ExportCommand: StoppableCommand {
    package static let spec = CommandSpec(
        name: "export",
        summary: "Write the rows of a database as NDJSON, with the commands that import them again",
        operands: "[OPTIONS] DB [ENTITY...] --to DIR|FILE|-",
        examples: [
            "tributary export app.sqlite --to backup | sh",
            "tributary export app.sqlite --to backup users orders",
            "tributary export app.sqlite users --to users.ndjson.gz",
            "tributary export app.sqlite users --to - | jq .name",
            "tributary export app.sqlite Author --nest author.books --to authors.ndjson",
            "tributary export app.sqlite --changed-since 7 --to changes",
        ],
        discussion: """
            Into a directory it writes a file for each entity or table, such as users.ndjson, and model.xml and map.json;
            it prints the commands that import all files into a new database, with the same rows, links and values. The
            files of a database of another program are rows alone. A file has one entity, and - is standard output; the
            name tells a file (.ndjson, .jsonl or .json, .gz, .zst). Entities have the objects that are their own, without
            those of subentities. Dates are ISO 8601, binary values base64, and a relationship is the key of its object, or
            an array of keys in their order, on one side of each pair. All rows are of one state of the database, which
            is not changed. Entities whose objects have no key but are referred to are refused.

            --nest puts the objects of a relationship into those that have them, in place of keys; they then have no
            file of their own, unless they are named, but for those that are in no other object. --changed-since
            writes the rows that runs with --undoable have inserted or changed after a run, with all their values,
            and the keys of deleted ones into deleted.ndjson: the commands import into a copy from after that run.
            """,
        options: [
            OptionSpec(
                "--to", value: "DIR|FILE|-", group: .target, help: "Where to write; existing files are replaced"),
            OptionSpec(
                "--nest", value: "PATHS", isRepeatable: true, group: .columns,
                help: "Write objects inside of others, as author.books"),
            OptionSpec(
                "--changed-since", value: "RUN", as: .number(0), group: .rows,
                help: "Write only rows that undoable runs after this one have changed"),
            OutputOptions.json("files and commands"), OutputOptions.quiet, OutputOptions.progress,
        ],
        noPostgres: "it reads a file of SQLite; write its tables with row_to_json in psql")

    /// The database.
    package let database: String
    /// The entities and tables; empty for all.
    package let names: [String]
    /// Where to write.
    package let target: ExportTarget
    /// The paths of relationships whose objects are inside of others.
    let nested: [String]
    /// The run after which rows were changed; nil for all rows.
    let changedSince: Int?
    /// Whether only errors are printed.
    let output: OutputOptions
    var isQuiet: Bool { output.isQuiet }

    package init(_ parsed: ParsedOptions) throws(UsageError) {
        database = try parsed.database(others: true).text
        let names = parsed.others
        self.names = names
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw UsageError("The entity '\(twice)' is named twice")
        }
        guard let word = parsed.text("--to") else { throw UsageError("Name the directory: \(parsed.usage)") }
        target = ExportTarget(word)
        try parsed.exclude("--nest", "--changed-since")
        nested = try parsed.names("--nest") ?? []
        changedSince = try parsed.number("--changed-since")
        output = try OutputOptions(parsed)
        if output.isJSON, case .standardOutput = target {
            throw UsageError("'--json' and '--to -' cannot be used together: rows are printed")
        }
    }

    func run(_ signals: StopSignals) throws -> Int32 {
        let path = Excerpt.escape(database)
        guard try ReadableTable.read(database, { _ in [] }) != nil else {
            throw StoredDatabase.absent(database)
        }
        guard FileKind(database) == .file else {
            throw CommandError("\(path): its first import has not finished; finish it first")
        }
        var run = ExportRun(self, try ExportReader(database, nesting: nested, since: changedSince), signals)
        return try run.run()
    }
}
