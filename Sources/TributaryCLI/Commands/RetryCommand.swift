package import Tributary
import TributaryJSON

/// `tributary retry`: imports rejected records again.
package struct RetryCommand {
    static let spec = CommandSpec(
        name: "retry",
        summary: "Import rejected records again, edited or not",
        operands: "[OPTIONS] [REJECTS] --into DB",
        examples: [
            "tributary import users.json --into app.sqlite --key id --rejects bad.ndjson",
            "$EDITOR bad.ndjson      # fix 'raw'; it is the record itself, as a string",
            "tributary retry bad.ndjson --into app.sqlite",
            "tributary retry --from-database --into app.sqlite",
        ],
        discussion: """
            Rejected records are kept in the database; a file of rejects is a copy of them, one on each line, with the
            bytes of the record under 'raw', or under 'rawBase64'. They are imported as they were meant to be: the journal
            of the database knows the entity, the key and the mode. What is imported leaves the database in the same
            transaction, so that a file may be retried as often as you like, and is never written. What is rejected again
            stays, with its new reason; so do records of which only the first bytes are kept ('truncated').
            Of an import of several entities, '--entity' says what the records are that name none.
            """,
        options: [
            ImportOptionSpecs.into,
            OptionSpec("--from-database", help: "Retry what the database keeps, without a file"),
            OptionSpec("--run", value: "N", help: "With '--from-database': only rejects of this run"),
            ImportOptionSpecs.model,
            OptionSpec("--entity", value: "NAME", help: "What the records are (as before)"),
            OptionSpec(
                "--key", "--pk", value: "NAME,..", help: "The attributes that tell one record from another (as before)"),
            OptionSpec("--remote-key", value: "PATH,..", help: "Where their values stand in a record (as before)"),
            OptionSpec(
                "--mode", value: "MODE",
                help: "What to do with keys: upsert, insert, update, ignore, replace (as before)"),
            OptionSpec("--dry-run", "-n", help: "Do everything, then undo it"),
            ImportOptionSpecs.keyAs,
        ] + ImportOptionSpecs.pace + ReadingOptions.specs)

    /// The file of rejects; nil for those of the database.
    package let file: String?
    /// The only run whose rejects of the database are retried.
    package let run: Int?
    /// The database.
    package let database: String
    package let model: String?
    package let options: RetryOptions
    package let output: ImportOutput
    /// The same command line.
    package let continuation: String

    init(_ parsed: ParsedOptions) throws(UsageError) {
        let isFromDatabase = parsed.has("--from-database")
        guard parsed.operands.count == (isFromDatabase ? 0 : 1), parsed.operands.first != "-" else {
            throw UsageError(
                "Name one file of rejects, or say --from-database: tributary retry REJECTS --into DB")
        }
        file = parsed.operands.first
        run = try parsed.number("--run", atLeast: 1)
        if run != nil, !isFromDatabase { throw UsageError("'--run' needs '--from-database'") }
        database = try ImportOptionSpecs.database(parsed, operands: [])
        model = parsed.text("--model")
        var options = RetryOptions()
        options.entity = parsed.text("--entity")
        options.key = try ImportOptionSpecs.names(parsed, "--key")
        options.remoteKey = try ImportOptionSpecs.names(parsed, "--remote-key")?.map(ImportTarget.place)
        let modes = ImportMode.allCases.map(\.rawValue)
        options.mode = try parsed.choice("--mode", modes) { ImportMode(rawValue: $0) }
        options.keyName = parsed.text("--key-as")
        options.importing = try ImportOptionSpecs.options(parsed)
        options.importing.isDryRun = parsed.has("--dry-run")
        self.options = options
        output = try ImportOutput(parsed)
        continuation = parsed.line(leavingOut: [])
    }

    func perform() throws -> Int32 {
        let signals = StopSignals()
        try signals.start()
        var run = RetryCommandRun(self, signals)
        do {
            return try run.run()
        } catch OutputFile.Failure.stopped {
            return signals.exitCode ?? ExitCode.failure
        }
    }
}
