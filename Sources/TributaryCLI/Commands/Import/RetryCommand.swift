import TributaryHTTP
package import TributaryImport

/// `tributary retry`: imports rejected records again.
package struct RetryCommand: StoppableCommand {
    package static let spec = CommandSpec(
        name: "retry",
        summary: "Import rejected records again, edited or not",
        operands: "[OPTIONS] DB [REJECTS]",
        examples: [
            "tributary import app.sqlite users.json --key id --rejects bad.ndjson",
            "$EDITOR bad.ndjson      # fix the record in 'raw', which is its text as a string",
            "tributary retry app.sqlite bad.ndjson",
            "tributary retry app.sqlite",
            "tributary retry postgres://app@db.example.com/app bad.ndjson",
        ],
        discussion: """
            Without REJECTS all rejects of the database are retried. A file of rejects is a copy of them, one on each line,
            with the bytes of the record under 'raw' or 'rawBase64'. The journal of the database has their entity, key and
            mode. The reject of an imported record is deleted in the same transaction, so a file can be retried any number
            of times; the file itself is not changed. A record that is rejected again keeps its reject, with the new
            reason. A record of which only the first bytes are kept ('truncated') is not retried.
            After an import of several entities, '--entity' names the entity of damaged records. PostgreSQL stores no
            model: name it by --model if the import had one.
            """,
        options: [
            OptionSpec("--run", as: .number(), group: .reading, help: "Only rejects of this run, without a file"),
            WritingOptions.model,
            OptionSpec(
                "--entity", "--table", value: "NAME", group: .target, default: "as in their import",
                help: "Entity or table of the records"),
            OptionSpec(
                "--key", "--pk", value: "NAME,..", isRepeatable: true, group: .columns, default: "as in its import",
                help: "Attributes that identify a record"),
            OptionSpec(
                "--remote-key", value: "PATH,..", isRepeatable: true, group: .columns, default: "as in its import",
                help: "Paths of their values in a record"),
            WritingOptions.mode(default: "as in their import"),
            OptionSpec(
                "--map", value: "FILE", group: .columns, default: "as in their import",
                help: "Mapping of members to the properties of a model"),
            OptionSpec(
                "--dry-run", "-n", group: .rows, for: .sqlite("import into another database to try it"),
                help: "Do everything, then roll it back"),
            ReadingOptions.keyAs,
        ] + WritingOptions.pace + ReadingOptions.recordSpecs,
        common: [
            "--run", "--model", "--entity", "--key", "--mode", "--map", "--dry-run", "--json", "--quiet", "--progress",
        ])

    /// The file of rejects; nil for those of the database.
    package let file: String?
    /// The run whose rejects in the database are retried; nil for all runs.
    package let runNumber: Int?
    /// The database.
    package let database: DatabaseName
    package let model: String?
    /// The file with the mappings of entities.
    let map: String?
    package let options: RetryOptions
    package let output: OutputOptions
    /// The command line that resumes the retry.
    package let resumeLine: String
    /// The command line that does what a dry run has tried.
    let doingLine: String

    package init(_ parsed: ParsedOptions) throws(UsageError) {
        database = try parsed.database(others: true)
        guard parsed.others.count <= 1, parsed.others.first != "-",
            !parsed.others.contains(where: WebAddress.isAddress)
        else {
            throw UsageError("Name one file of rejects, or none for those of the database: \(parsed.usage)")
        }
        file = parsed.others.first
        runNumber = try parsed.number("--run")
        if runNumber != nil, file != nil {
            throw UsageError("'--run' is for the rejects of the database, and a file is named")
        }
        model = parsed.text("--model")
        map = parsed.text("--map")
        var options = RetryOptions()
        options.entity = parsed.text("--entity")
        options.key = try parsed.names("--key")
        options.remoteKey = try parsed.names("--remote-key")?.map(RemoteKey.init(word:))
        options.mode = try parsed.choice("--mode", ImportMode.init)
        options.keyName = parsed.text("--key-as")
        let importing = try WritingOptions.options(parsed)
        (options.batchSize, options.jobs) = (importing.batchSize, importing.jobs)
        options.maxMemory = importing.maxMemory
        (options.limits, options.bufferBytes) = (importing.reading.limits, importing.reading.bufferBytes)
        options.isDryRun = parsed.has("--dry-run")
        self.options = options
        output = try OutputOptions(parsed)
        resumeLine = parsed.line()
        doingLine = parsed.line(leavingOut: ["--dry-run"])
    }

    func run(_ signals: StopSignals) throws -> Int32 {
        var run = RetryCommandRun(self, signals)
        return try run.run()
    }
}
