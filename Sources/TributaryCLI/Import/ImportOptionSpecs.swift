import Tributary
import TributaryJSON

/// The options shared by the commands that write into a database.
enum ImportOptionSpecs {
    static let into = OptionSpec("--into", value: "DB", help: "The database; created if it does not exist")
    static let intoAny = OptionSpec(
        "--into", value: "DB",
        help: "The database: a file of SQLite, created if it does not exist, or postgres://USER@HOST/NAME")
    static let model = OptionSpec("--model", value: "MODEL", help: "A .xcdatamodeld, .xcdatamodel, or the XML of one")

    /// Options about errors, pace and output.
    static let working: [OptionSpec] =
        [
            OptionSpec(
                "--on-error", value: "POLICY",
                help: """
                    What to do with an invalid record: stop, skip, quarantine (stop; with --rejects quarantine, with \
                    --max-errors skip)
                    """),
            OptionSpec("--max-errors", value: "N|N%", help: "Stop when more records are rejected (no limit)"),
            OptionSpec(
                "--rejects", value: "FILE",
                help: "Keep invalid records, and write them to a file for 'tributary retry' at the end"),
        ] + pace

    /// Options about pace, memory and output.
    static let pace: [OptionSpec] = [
        OptionSpec("--batch-size", value: "N", help: "Records prepared together (10000)"),
        OptionSpec("--jobs", "-j", value: "N", help: "Batches prepared at the same time (one per processor)"),
        OptionSpec("--max-memory", value: "BYTES", help: "Memory that the import may use (128M, at least 32M)"),
        OptionSpec("--json", help: "Print the summary as one JSON object"),
        OptionSpec("--quiet", "-q", "--silent", help: "Print only errors"),
        OptionSpec("--progress", value: "WHEN", help: "Show progress: auto (on a terminal), always, never"),
    ]

    /// The database that is written.
    static func database(_ parsed: ParsedOptions, operands: [String]) throws(UsageError) -> DatabaseName {
        guard let path = parsed.text("--into") else {
            let meant = operands.first { name in [".sqlite", ".sqlite3", ".db"].contains { name.hasSuffix($0) } }
            throw UsageError(
                "Name the database: --into DB" + (meant.map { ". Did you mean '--into \($0)'?" } ?? ""))
        }
        guard !path.isEmpty, path != "-", path != ":memory:" else {
            throw UsageError("Option '--into' takes the name of a file, not '\(path)'")
        }
        return try DatabaseName(path)
    }

    /// Names separated by commas.
    static func names(_ parsed: ParsedOptions, _ option: String) throws(UsageError) -> [String]? {
        guard let text = parsed.text(option) else { return nil }
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard names.allSatisfy({ !$0.isEmpty }) else {
            throw UsageError("Option '\(option)' takes names separated by commas, not '\(text)'")
        }
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw UsageError("Option '\(option)' names '\(twice)' twice")
        }
        return names
    }

    /// The import options that `parsed` states.
    static func options(_ parsed: ParsedOptions) throws(UsageError) -> ImportOptions {
        var options = ImportOptions()
        options.reading = try ReadingOptions.options(parsed)
        if let size = try parsed.number("--batch-size", atMost: 10_000_000) { options.batchSize = size }
        options.jobs = try parsed.number("--jobs", atMost: 1024)
        if let bytes = try parsed.bytes("--max-memory", atLeast: 32 << 20) { options.maxMemory = bytes }
        if let text = parsed.text("--max-errors") {
            guard let limit = ErrorLimit(text) else {
                throw UsageError("Option '--max-errors' takes a number or a share such as 100 or 2.5%, not '\(text)'")
            }
            options.maxErrors = limit
        }
        options.rejects = parsed.text("--rejects")
        options.onError = try ReadingOptions.policy(
            parsed, tolerance: options.maxErrors == nil ? nil : "--max-errors",
            needsFile: false)
        return options
    }
}
