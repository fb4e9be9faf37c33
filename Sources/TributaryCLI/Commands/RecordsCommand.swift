package import TributaryJSON

/// `tributary records`: prints each record on a line.
package struct RecordsCommand: ReadingCommand {
    package static let spec = CommandSpec(
        name: "records",
        summary: "Print each record on a line, as compact JSON",
        operands: "[OPTIONS] FILE...",
        examples: [
            "tributary records users.json.gz",
            "tributary records --at '.features[]' map.geojson",
            "tributary records --at '.users{}' --key-as uid export.json",
            "tributary records --on-error quarantine --rejects bad.ndjson dump.json",
        ],
        discussion: """
            The layout of a file is detected from its first bytes and reported on standard error: an array, NDJSON,
            consecutive values, records under a key, an object of records, a single record. --format and --at
            override it. Compressed files (gzip, zstd, bzip2, xz) are decompressed, the JSON files of tar and zip archives
            are read one after the other, and so are those of a directory and of a quoted pattern ('*.json'), in the
            order of their names; - is standard input, and an address with http or https is read from its server. JSON
            text sequences (RFC 7464) are detected.
            Half of an escaped surrogate pair is refused, since it encodes no character.

            Keys stay in order and numbers as they are written. A path is [] (each element), {} (each member),
            .a.b[] (the array at a.b), .rows[].doc (a member of each element), . (the whole text), or a JSON Pointer.
            Records are printed as they are read, so --on-error stop prints those before the error.
            """,
        options: [
            ReadingOptions.at,
            ReadingOptions.format,
            ReadingOptions.limit("Print at most N records"),
            OptionSpec("--skip", "--offset", as: .number(0), group: .rows, help: "Skip the first N records"),
            OptionSpec(
                "--on-error", value: "POLICY", as: ReadingOptions.policies, group: .errors,
                default: "stop, or quarantine with --rejects", help: "What to do with a damaged record"),
            OptionSpec(
                "--rejects", value: "FILE", group: .errors,
                help: "Write damaged records to a file, one JSON object a line"),
            ReadingOptions.keyAs,
            OutputOptions.quiet, OutputOptions.progress,
        ] + [ReadingOptions.jobs] + ReadingOptions.conversion + ReadingOptions.specs,
        common: [
            "--at", "--format", "--limit", "--skip", "--on-error", "--rejects", "--key-as", "--recursive", "--encoding",
            "--quiet",
            "--jobs",
        ],
        noPostgres: "it reads files; use psql to read a database")

    /// The files; none for standard input.
    package let operands: [String]
    package let isRecursive: Bool
    var reading: ReadOptions { options }
    package let options: ReadOptions
    package let limit: Int?
    package let skip: Int
    package let rejectsPath: String?
    package let isQuiet: Bool
    let progress: ProgressMode

    package init(_ parsed: ParsedOptions) throws(UsageError) {
        operands = try ReadingOptions.operands(parsed)
        isRecursive = parsed.has("--recursive")
        var options = try ReadingOptions.options(parsed)
        if let path = try ReadingOptions.path(parsed) { options.paths = [path] }
        options.onError = try ReadingOptions.policy(parsed)
        rejectsPath = parsed.text("--rejects")
        limit = try parsed.number("--limit")
        skip = try parsed.number("--skip") ?? 0
        let output = try OutputOptions(parsed)
        (isQuiet, progress) = (output.isQuiet, output.progress)
        self.options = options
    }

    func run(_ sources: [any ByteSource], _ signals: StopSignals) throws -> Int32 {
        try RecordsRun(self, sources, signals: signals).run()
    }
}
