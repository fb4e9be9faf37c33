import TributaryImport
import Foundation

/// The options shared by the commands that write into a database.
enum WritingOptions {
    static let model = OptionSpec(
        "--model", value: "MODEL", group: .target, help: "A .xcdatamodeld, .xcdatamodel, or the XML of one")

    /// The option about records with existing keys.
    static func mode(default text: String) -> OptionSpec {
        OptionSpec(
            "--mode", value: "MODE", as: .cases(of: ImportMode.self), group: .rows, default: text,
            help: "How to write records")
    }

    /// Options about errors, pace and output.
    static let working =
        [
            OptionSpec(
                "--on-error", value: "POLICY", as: ReadingOptions.policies,
                default: "stop; with --rejects quarantine, with --max-errors skip",
                help: "Invalid records"),
            OptionSpec("--max-errors", value: "N|N%", default: "no limit", help: "Stop when more records are rejected"),
            OptionSpec(
                "--rejects", value: "FILE",
                help: "Keep invalid records, and write them to a file for 'tributary retry' at the end"),
        ].group(.errors) + pace

    private static let leastMemory = 32 << 20

    /// Options about pace, memory and output.
    static let pace =
        [
            OptionSpec(
                "--batch-size", as: .number(1, 10_000_000), default: "\(ImportOptions().batchSize)",
                help: "Records prepared together"),
            OptionSpec(
                "--jobs", "-j", as: .number(1, 1024), default: "one per processor",
                help: "Parsers, and batches prepared, at the same time"),
            OptionSpec(
                "--max-memory", as: .bytes(leastMemory),
                default: "\(OptionSpec.size(ImportOptions().maxMemory)), at least \(OptionSpec.size(leastMemory))",
                help: "Memory that the import may use"),
        ].group(.pace) + OutputOptions.specs("summary")
        + [OutputOptions.progress, OutputOptions.verbose]

    /// The mappings in the file of `--map`; none without a file.
    static func mappings(at path: String?, for command: String) throws -> Mappings {
        guard let path else { return Mappings() }
        guard let content = FileManager.default.contents(atPath: path) else {
            throw UsageError("Option '--map' takes a file, and '\(path)' cannot be read", command: command)
        }
        return try Mappings(json: Array(content), from: path)
    }

    /// The import options that `parsed` states.
    static func options(_ parsed: ParsedOptions) throws(UsageError) -> ImportOptions {
        var options = ImportOptions()
        options.reading = try ReadingOptions.options(parsed)
        if let size = try parsed.number("--batch-size") { options.batchSize = size }
        options.jobs = try parsed.number("--jobs")
        if let bytes = try parsed.number("--max-memory") { options.maxMemory = bytes }
        if let text = parsed.text("--max-errors") {
            guard let limit = ErrorLimit(text) else {
                throw UsageError("Option '--max-errors' takes a number or a share such as 100 or 2.5%, not '\(text)'")
            }
            options.maxErrors = limit
        }
        options.rejects = parsed.text("--rejects")
        options.onError = try ReadingOptions.policy(
            parsed, tolerance: options.maxErrors == nil ? nil : "--max-errors", needsFile: false)
        return options
    }
}
