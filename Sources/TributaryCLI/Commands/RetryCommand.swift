package import Tributary
import TributaryJSON

/// `tributary retry`: imports rejects that have been mended.
package struct RetryCommand {
    static let spec = CommandSpec(
        name: "retry",
        summary: "Import rejects that have been mended, and keep the others",
        operands: "[OPTIONS] REJECTS --into DB",
        examples: [
            "tributary import users.json --into app.sqlite --key id --rejects bad.ndjson",
            "$EDITOR bad.ndjson      # mend 'raw'; it is the record itself, as a string",
            "tributary retry bad.ndjson --into app.sqlite",
        ],
        discussion: """
            Each line of a file of rejects has the bytes of a record under 'raw', or under 'rawBase64'. They are tried
            again, mended or not, as they were tried first: the journal of the database knows the entity, the key and the
            mode. What is imported goes from the file; what is refused stays, with the reason it is refused for now, as
            do lines that are 'truncated' or no JSON. The file is replaced in one go, when everything is committed.
            Of an import of several entities, '--entity' says what the lines are that name none.
            """,
        options: [
            ImportOptionSpecs.into,
            ImportOptionSpecs.model,
            OptionSpec("--entity", value: "NAME", help: "What the records are (as before)"),
            OptionSpec(
                "--key", "--pk", value: "NAME,..", help: "The attributes that tell one record from another (as before)"),
            OptionSpec("--remote-key", value: "PATH,..", help: "Where their values stand in a record (as before)"),
            OptionSpec(
                "--mode", value: "MODE",
                help: "What to do with keys: upsert, insert, update, ignore, replace (as before)"),
            OptionSpec("--dry-run", "-n", help: "Do everything, then undo it; the file stays as it is"),
            ImportOptionSpecs.keyAs,
        ] + ImportOptionSpecs.pace + ReadingOptions.specs)

    /// The file of rejects.
    package let file: String
    /// The database.
    package let database: String
    package let model: String?
    package let entity: String?
    package let key: [String]?
    package let remoteKey: [String]?
    package let mode: ImportMode?
    package let hasKeyName: Bool
    package let options: ImportOptions
    package let output: ImportOutput
    /// The same command line.
    package let continuation: String

    init(_ parsed: ParsedOptions) throws(UsageError) {
        guard parsed.operands.count == 1, parsed.operands[0] != "-" else {
            throw UsageError("Name one file of rejects: tributary retry REJECTS --into DB")
        }
        file = parsed.operands[0]
        database = try ImportOptionSpecs.database(parsed, operands: [])
        model = parsed.text("--model")
        entity = parsed.text("--entity")
        key = try ImportOptionSpecs.names(parsed, "--key")
        remoteKey = try ImportOptionSpecs.names(parsed, "--remote-key")
        let modes = ImportMode.allCases.map(\.rawValue)
        mode = try parsed.choice("--mode", modes) { ImportMode(rawValue: $0) }
        hasKeyName = parsed.has("--key-as")
        var options = try ImportOptionSpecs.options(parsed)
        options.isDryRun = parsed.has("--dry-run")
        options.resuming = options.isDryRun ? .never : .resume
        // All that is refused again must be known, with all its bytes.
        options.onError = options.isDryRun ? .skip : .quarantine
        options.reading.onError = options.onError
        options.reading.format = .ndjson
        options.reading.limits.rejectedBytes = ReadLimits.largestRecord
        self.options = options
        output = try ImportOutput(parsed)
        continuation = parsed.line(leavingOut: [])
    }

    func run() throws -> Int32 {
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
