import TributaryJSON

/// The options of all commands that read JSON.
enum ReadingOptions {
    static let format = OptionSpec(
        "--format", value: "FORMAT",
        help:
            "Layout of the input: auto, json (one text), array, object, ndjson, concat (consecutive values)"
    )

    static let keyAs = OptionSpec("--key-as", value: "NAME", help: "Name of the member with a record's own key (_key)")

    /// The options for records that were read once already.
    static let recordSpecs: [OptionSpec] = [
        OptionSpec("--buffer-size", value: "BYTES", help: "Bytes read at once (256K)"),
        OptionSpec("--max-depth", value: "N", help: "Nesting depth of arrays and objects (512)"),
        OptionSpec("--max-string", value: "BYTES", help: "Bytes of a string (16M)"),
        OptionSpec("--max-key", value: "BYTES", help: "Bytes of a key (64K)"),
        OptionSpec("--max-number", value: "N", help: "Characters of a number (1024)"),
        OptionSpec("--max-record", value: "BYTES", help: "Bytes of a record (16M, at most 255M)"),
        OptionSpec("--max-keys", value: "N", help: "Keys of one object (100000)"),
    ]

    static let specs: [OptionSpec] =
        recordSpecs + [
            OptionSpec("--max-bytes", value: "BYTES", help: "Bytes of a whole text, decompressed (no limit)"),
            OptionSpec(
                "--max-ratio", value: "N", help: "Decompressed bytes per compressed byte, from 64 MiB on (1000)"),
            OptionSpec("--max-window", value: "BYTES", help: "Window of a zstd or xz stream (128M)"),
            OptionSpec("--max-search", value: "BYTES", help: "Bytes searched for the record after a damaged one (16M)"),
        ]

    /// The options about bytes that are not JSON as it is defined, and about files.
    static let conversion: [OptionSpec] = [
        OptionSpec(
            "--encoding", value: "NAME",
            help: "Encoding of the input, such as latin1 or windows-1252 (Unicode, detected)"),
        OptionSpec("--nan", value: "MODE", help: "NaN and Infinity: null, text, reject (reject)"),
        OptionSpec("--recursive", "-r", help: "Read the files in subdirectories of directories as well"),
    ]

    /// The read options that `parsed` states.
    static func options(_ parsed: ParsedOptions) throws(UsageError) -> ReadOptions {
        var options = ReadOptions()
        let formats = RecordFormat.allCases.map(\.rawValue)
        if let format = try parsed.choice("--format", formats, { RecordFormat(rawValue: $0) }) {
            options.format = format
        }
        if let name = parsed.text("--encoding") {
            guard !name.isEmpty, TextEncoding.isKnown(name) else {
                throw UsageError(
                    "Option '--encoding' takes the name of an encoding, as 'iconv --list' prints, not '\(name)'")
            }
            options.conversion.encoding = name
        }
        let ways = TextConversion.NonFinite.allCases.map(\.rawValue)
        if let way = try parsed.choice("--nan", ways, { TextConversion.NonFinite(rawValue: $0) }) {
            options.conversion.nonFinite = way
        }
        if let size = try parsed.bytes("--buffer-size", atMost: 1 << 30) { options.bufferBytes = size }
        func set(_ value: Int?, _ path: WritableKeyPath<ReadLimits, Int>) {
            if let value { options.limits[keyPath: path] = value }
        }
        set(try parsed.number("--max-depth", atMost: ReadLimits.deepest), \.depth)
        set(try parsed.bytes("--max-string", atLeast: 0), \.string)
        set(try parsed.bytes("--max-key", atLeast: 0), \.key)
        set(try parsed.number("--max-number"), \.number)
        set(try parsed.bytes("--max-record", atMost: ReadLimits.largestRecord), \.record)
        set(try parsed.number("--max-keys", atLeast: 0), \.keys)
        set(try parsed.number("--max-ratio"), \.ratio)
        set(try parsed.bytes("--max-window"), \.window)
        set(try parsed.bytes("--max-search", atMost: 1 << 30), \.recovery)
        options.limits.total = try parsed.bytes("--max-bytes")
        if let name = parsed.text("--key-as") {
            guard !name.isEmpty, name.utf8.count <= 200 else { throw UsageError("Option '--key-as' takes a name") }
            options.keyName = name
        }
        return options
    }

    /// The path of the records; nil without `--at`.
    static func path(_ parsed: ParsedOptions) throws(UsageError) -> RecordPath? {
        guard let path = parsed.text("--at") else { return nil }
        guard !path.isEmpty else { throw UsageError("Option '--at' takes a path; '.' is the whole text") }
        do {
            return try RecordPath(path)
        } catch {
            throw UsageError("Option '--at': \(error)")
        }
    }

    /// The policy for invalid records; `tolerance` is the name of a given option that needs rejects to be tolerated.
    static func policy(
        _ parsed: ParsedOptions, tolerance: String? = nil, needsFile: Bool = true
    ) throws(UsageError) -> ErrorPolicy {
        let rejects = parsed.text("--rejects")
        if let rejects, rejects.isEmpty || rejects == "-" {
            throw UsageError("Option '--rejects' takes the name of a file, not '\(rejects)'")
        }
        let stated = try parsed.choice("--on-error", ["stop", "skip", "quarantine"]) { ErrorPolicy(rawValue: $0) }
        let policy = stated ?? (rejects != nil ? .quarantine : tolerance != nil ? .skip : .stop)
        if policy == .quarantine, rejects == nil, needsFile {
            throw UsageError("'--on-error quarantine' needs a file: --rejects FILE")
        }
        if policy != .quarantine, rejects != nil {
            throw UsageError("'--rejects' is for '--on-error quarantine', not for '\(policy)'")
        }
        if policy == .stop, let tolerance {
            throw UsageError("With '--on-error stop' the first error ends the run; leave '\(tolerance)' out")
        }
        return policy
    }

    /// The operands, which name files; `-` is standard input.
    static func operands(_ parsed: ParsedOptions) throws(UsageError) -> [String] {
        guard parsed.operands.count(where: { $0 == "-" }) <= 1 else {
            throw UsageError("Standard input ('-') can be read only once")
        }
        if let address = parsed.operands.first(where: { $0.hasPrefix("http://") || $0.hasPrefix("https://") }) {
            throw UsageError(
                "'\(address)' is an address, not a file; read it with: curl -L \(ShellWord.quoted(address)) | tributary … -"
            )
        }
        return parsed.operands
    }
}
