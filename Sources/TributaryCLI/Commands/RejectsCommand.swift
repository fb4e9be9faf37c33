import Tributary
import TributaryJSON

/// `tributary rejects`: prints the rejected records of a database.
package struct RejectsCommand {
    static let spec = CommandSpec(
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
            OptionSpec("--run", value: "N", help: "Only rejects of this run"),
            OptionSpec("--output", "-o", value: "FILE", help: "Write to a file instead of standard output"),
        ])

    /// The database.
    package let database: DatabaseName
    package let run: Int?
    package let file: String?

    init(_ parsed: ParsedOptions) throws(UsageError) {
        database = try parsed.database("tributary rejects DB")
        run = try parsed.number("--run", atLeast: 1)
        file = parsed.text("--output")
        if file == "" || file == "-" {
            throw UsageError("Option '--output' takes the name of a file; without it rejects are printed")
        }
    }

    func perform() throws -> Int32 {
        var console = Console()
        database.warn(&console, isQuiet: false)
        let rejects = RejectedRecords(database.imports)
        if let file {
            try rejects.write(to: file, run: run)
            return ExitCode.success
        }
        let output = OutputFile.standardOutput()
        try rejects.forEachLines(run: run) { lines in try output.write { $0 += lines } }
        try output.flush()
        return ExitCode.success
    }
}
