package import TributaryJSON

/// `tributary validate`: checks whether files are valid JSON.
package struct ValidateCommand: ReadingCommand {
    package static let spec = CommandSpec(
        name: "validate",
        summary: "Check whether files are valid JSON, strictly by RFC 8259",
        operands: "[OPTIONS] FILE...",
        examples: [
            "tributary validate config.json",
            "tributary validate --format ndjson events.jsonl.gz",
            "curl … | tributary validate -",
        ],
        discussion: """
            Each file is one JSON text, unless --format says otherwise. For a valid file nothing is printed. An error is
            a line on standard output with its position and reason: one for a text, one for each damaged line of NDJSON.
            Compressed files (gzip, zstd, bzip2, xz) are decompressed; archives, directories and patterns are as in
            'tributary help records'.
            """,
        options: [
            ReadingOptions.format,
            OptionSpec("--quiet", "-q", "--silent", group: .output, help: "Print nothing, only set the exit code"),
            OutputOptions.json("error", asLines: true), ReadingOptions.jobs,
        ] + ReadingOptions.conversion + ReadingOptions.specs,
        common: ["--format", "--recursive", "--encoding", "--nan", "--quiet", "--json", "--jobs"],
        noPostgres: "it reads files; use psql to read a database")

    /// The files; none for standard input.
    let operands: [String]
    let isRecursive: Bool
    var reading: ReadOptions { options }
    package let options: ReadOptions
    let isQuiet: Bool
    private let isJSON: Bool

    package init(_ parsed: ParsedOptions) throws(UsageError) {
        operands = try ReadingOptions.operands(parsed)
        isRecursive = parsed.has("--recursive")
        var options = try ReadingOptions.options(parsed)
        if !parsed.has("--format") { options.format = .json }
        // Without paths everything is parsed, and nothing becomes a record.
        options.paths = []
        options.onError = .skip
        self.options = options
        isQuiet = parsed.has("--quiet")
        isJSON = parsed.has("--json")
    }

    func run(_ sources: [any ByteSource], _ signals: StopSignals) throws -> Int32 {
        let output = OutputFile(stop: signals.descriptor)
        var code = ExitCode.success
        func report(_ error: JSONError) throws {
            code = ExitCode.failure
            guard !isQuiet else { return }
            try output.write { bytes in
                bytes += isJSON ? ErrorText.json(error) : Array("\(ErrorText.named(error))\n".utf8)
            }
        }
        for source in sources {
            let reader = RecordReader(from: [source], options: options)
            signals.onStop { reader.cancel() }
            do {
                while let chunk = try reader.next() {
                    for reject in chunk.rejects { try report(reject.error) }
                    try output.flush()
                }
            } catch let error as JSONError {
                try report(error)
            } catch is CancellationError {
                try output.flush()
                return signals.exitCode ?? ExitCode.failure
            }
            try output.flush()
        }
        return code
    }
}
