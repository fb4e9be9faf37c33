package import TributaryJSON
import TributaryImport

/// `tributary inspect`: tells what is in a dump or a database.
package struct InspectCommand: ReadingCommand {
    package static let spec = CommandSpec(
        name: "inspect",
        summary: "Tell what is in a dump: every path, its values, keys and anomalies",
        operands: "[OPTIONS] FILE...|DB [TABLE]",
        examples: [
            "tributary inspect users.json.gz",
            "tributary inspect --at '.features[]' map.geojson",
            "tributary inspect users.json.gz --json > monday.json",
            "tributary inspect users.json.gz --against monday.json",
            "tributary inspect users.json.gz --html users.html --write-schema users.schema.json",
            "tributary inspect users.json.gz --write-model Users.xcdatamodel",
            "tributary inspect app.sqlite users",
            "tributary inspect users.json.gz --against app.sqlite --table users",
        ],
        discussion: """
            All records are read once, in a bounded memory. For each path the table tells how many of the objects have a
            value there, the kinds of the values, how many different ones there are, how they are spread from the lowest
            to the highest (texts by their length), and the range or the most common ones. A number after ~ is an
            estimate, mostly at most 6 % off. A key is proved: all its values are different. A path in the dump whose
            values are keys of other objects is shown with an arrow. The table is fitted to the terminal.

            The last line is a command that imports the dump. With --write-model it imports into the entities of a model
            that is written: one for the records, and one for each kind of objects with an id inside of them. Edit it,
            and make Swift classes of it by 'tributary generate'. With --against, only what differs is told, and the exit
            code is 2 if anything does: from an earlier profile, from the rows of a table, or from what a model permits.

            DB is any database of SQLite, whose tables are read and not changed.
            """,
        options: [
            ReadingOptions.at,
            ReadingOptions.format,
            ReadingOptions.limit("Read at most N records"),
            OptionSpec(
                "--top", as: .number(0, 64), group: .output, default: "5", help: "Most common values that are shown"),
            OptionSpec("--no-values", help: "Show nothing of the values themselves"),
            ReadingOptions.keyAs,
            OptionSpec("--against", value: "FILE", help: "Tell what differs from a profile of --json, a model or a DB"),
            OptionSpec("--table", value: "NAME", help: "Table or entity of --against, if it has several"),
            OptionSpec("--html", value: "FILE", group: .output, help: "Write the profile as a page of HTML"),
            OptionSpec(
                "--write-schema", value: "FILE", group: .output,
                help: "Write a JSON Schema in which every record read validates"),
            OptionSpec(
                "--write-model", value: "FILE", group: .output,
                help: "Write a model with typed attributes, as XML, .xcdatamodel or .xcdatamodeld"),
            OptionSpec(
                "--write-map", value: "FILE", group: .output,
                help: "Write the mapping of members beside the model, and not into it"),
            OutputOptions.json("whole profile"),
            OutputOptions.quiet, OutputOptions.progress,
        ] + [ReadingOptions.jobs] + ReadingOptions.conversion + ReadingOptions.specs,
        common: [
            "--at", "--format", "--limit", "--top", "--no-values", "--against", "--table", "--html", "--write-schema",
            "--write-model", "--json", "--quiet", "--jobs",
        ])

    /// The files; none for standard input.
    package let operands: [String]
    let isRecursive: Bool
    var reading: ReadOptions { options }
    package private(set) var options: ReadOptions
    package let limit: Int?
    package let top: Int
    package let hidesValues: Bool
    /// The file of an earlier profile, a model or a database.
    package let earlier: String?
    /// The table or entity of it.
    package let table: String?
    /// The file for the page.
    package let page: String?
    /// The file for the schema.
    package let schema: String?
    /// The file for the model.
    package let model: String?
    /// The file for the mapping.
    package let map: String?
    package let isJSON: Bool
    /// The options about reading, as words.
    let readingWords: [String]
    package let isQuiet: Bool
    let progress: ProgressMode

    package init(_ parsed: ParsedOptions) throws(UsageError) {
        operands = try ReadingOptions.operands(parsed)
        isRecursive = parsed.has("--recursive")
        var options = try ReadingOptions.options(parsed)
        if let path = try ReadingOptions.path(parsed) { options.paths = [path] }
        options.onError = .skip
        limit = try parsed.number("--limit")
        top = try parsed.number("--top") ?? 5
        hidesValues = parsed.has("--no-values")
        earlier = try InspectCommand.file("--against", parsed)
        table = parsed.text("--table")
        if table != nil, earlier == nil {
            throw UsageError("'--table' is for '--against' with a database or a model")
        }
        page = try InspectCommand.file("--html", parsed)
        schema = try InspectCommand.file("--write-schema", parsed)
        model = try InspectCommand.file("--write-model", parsed)
        map = try InspectCommand.file("--write-map", parsed)
        if map != nil, model == nil { throw UsageError("'--write-map' needs '--write-model'") }
        if model != nil, operands.isEmpty || operands.contains("-") {
            throw UsageError("'--write-model' needs the names of files; save standard input to a file first")
        }
        let specs = [ReadingOptions.at, ReadingOptions.format, ReadingOptions.keyAs] + ReadingOptions.conversion
        readingWords = parsed.words(of: Set((specs + ReadingOptions.specs).map(\.name)))
        isJSON = parsed.has("--json")
        let output = try OutputOptions(parsed)
        (isQuiet, progress) = (output.isQuiet, output.progress)
        self.options = options
    }

    private static func file(_ option: String, _ parsed: ParsedOptions) throws(UsageError) -> String? {
        guard let path = parsed.text(option) else { return nil }
        guard path != "-" else { throw UsageError("Option '\(option)' takes the name of a file") }
        return path
    }

    /// The words of another command that reads the same records, with further options.
    func line(_ command: String, _ database: String, _ options: [String]) -> [String] {
        let options = readingWords + options
        // Operands that begin as options do follow `--` at the end of the line.
        let operands = [database] + operands.map(DatabaseName.shown)
        let needsSeparator = operands.contains { $0.hasPrefix("-") }
        return ["tributary", command] + (needsSeparator ? options + ["--"] + operands : operands + options)
    }

    func run(_ signals: StopSignals) throws -> Int32 {
        guard let database = try InspectedDatabase(self) else { return try run(sources(signals), signals) }
        guard model == nil else {
            throw UsageError(
                "'--write-model' is for dumps; 'tributary model DB' prints that of a database", command: "inspect")
        }
        let rows = try database.rows()
        var command = self
        command.options = rows.reading(options)
        return try command.run([rows], signals)
    }

    func run(_ sources: [any ByteSource], _ signals: StopSignals) throws -> Int32 {
        try InspectRun(self, sources, signals).run()
    }
}
