import TributaryImport

/// `tributary rejects`: prints the rejected records of a database.
package struct RejectsCommand: Command {
    package static let spec = CommandSpec(
        name: "rejects",
        summary: "Print the rejected records of a database",
        operands: "[OPTIONS] DB",
        examples: [
            "tributary rejects app.sqlite",
            "tributary rejects app.sqlite --run 3 -o bad.ndjson",
            "tributary rejects app.sqlite | jq -r .reason | sort | uniq -c",
        ],
        discussion: """
            Each record is one JSON object on a line: its number in the database under 'reject', its origin, the reason,
            and its bytes under 'raw' or 'rawBase64'. Edit 'raw' and give the file to 'tributary retry'.
            Imports keep rejects with '--on-error quarantine' or '--rejects FILE'. A file with edited rejects is not
            overwritten.
            """,
        options: [
            OptionSpec("--run", as: .number(), group: .rows, help: "Only rejects of this run"),
            OptionSpec(
                "--output", "-o", value: "FILE", group: .target, help: "Write to a file instead of standard output"),
            OutputOptions.quiet,
        ])

    /// The database.
    package let database: DatabaseName
    package let runNumber: Int?
    package let file: String?
    private let isQuiet: Bool

    package init(_ parsed: ParsedOptions) throws(UsageError) {
        database = try parsed.database()
        runNumber = try parsed.number("--run")
        file = parsed.text("--output")
        isQuiet = parsed.has("--quiet")
        if file == "-" {
            throw UsageError("Option '--output' takes the name of a file; without it rejects are printed")
        }
    }

    package func run() throws -> Int32 {
        database.warn(isQuiet: isQuiet)
        let rejects = database.imports.rejects
        if let file {
            try rejects.write(to: file, run: runNumber)
            return ExitCode.success
        }
        let output = OutputFile()
        try rejects.forEachLines(run: runNumber) { lines in try output.write { $0 += lines } }
        try output.flush()
        return ExitCode.success
    }
}
