import TributaryHTTP
import TributaryImport
import TributaryJSON

/// The options of all commands that read JSON.
enum ReadingOptions {
    static let format = OptionSpec(
        "--format", value: "FORMAT",
        as: .cases(of: RecordFormat.self, ["json": "one text", "concat": "consecutive values"]),
        group: .reading, help: "Layout of the input")

    /// The option about the greatest number of records.
    static func limit(_ help: String) -> OptionSpec {
        OptionSpec("--limit", "--stop-after", as: .number(0), group: .rows, help: help)
    }

    static let at = OptionSpec("--at", value: "PATH", group: .reading, help: "Path of the records")

    static let keyAs = OptionSpec(
        "--key-as", value: "NAME", group: .reading, default: ReadOptions().keyName,
        help: "Name of the member with a record's own key")

    /// An option that sets a limit.
    private struct Limit: Sendable {
        let option: OptionSpec
        let path: any WritableKeyPath<ReadLimits, Int> & Sendable

        init(
            _ name: String, _ kind: OptionSpec.Kind, _ path: any WritableKeyPath<ReadLimits, Int> & Sendable,
            _ help: String, most: Int? = nil
        ) {
            let value = ReadLimits()[keyPath: path]
            let text = if case .bytes = kind { OptionSpec.size(value) } else { "\(value)" }
            let bound = most.map { ", at most \(OptionSpec.size($0))" } ?? ""
            option = OptionSpec(name, as: kind, default: text + bound, help: help)
            self.path = path
        }
    }

    /// The limits of records.
    private static let recordLimits = [
        Limit("--max-depth", .number(1, ReadLimits.deepest), \.depth, "Nesting depth of arrays and objects"),
        Limit("--max-string", .bytes(0), \.string, "Bytes of a string"),
        Limit("--max-key", .bytes(0), \.key, "Bytes of a key"),
        Limit("--max-number", .number(), \.number, "Characters of a number"),
        Limit(
            "--max-record", .bytes(1, ReadLimits.largestRecord), \.record, "Bytes of a record",
            most: ReadLimits.largestRecord),
        Limit("--max-keys", .number(0), \.keys, "Keys of one object"),
    ]

    /// The limits of whole sources.
    private static let sourceLimits = [
        Limit("--max-ratio", .number(), \.ratio, "Decompressed bytes per compressed byte, from 64 MiB on"),
        Limit("--max-window", .bytes(), \.window, "Window of a zstd or xz stream"),
        Limit("--max-search", .bytes(1, 1 << 30), \.recovery, "Bytes searched for the record after a damaged one"),
    ]

    /// The options for records that were read once already.
    static let recordSpecs =
        ([
            OptionSpec(
                "--buffer-size", as: .bytes(1, 1 << 30), default: OptionSpec.size(ReadOptions().bufferBytes),
                help: "Bytes read at once")
        ] + recordLimits.map(\.option)).group(.reading)

    static let specs =
        recordSpecs
        + ([
            OptionSpec("--max-bytes", as: .bytes(), default: "no limit", help: "Bytes of a whole text, decompressed")
        ] + sourceLimits.map(\.option)).group(.reading)

    /// The option of commands that only read.
    static let jobs = OptionSpec(
        "--jobs", "-j", as: .number(1, 1024), group: .pace, default: "one per processor",
        help: "Parsers that read a source at the same time")

    /// The options about bytes that are not JSON as it is defined, and about files.
    static let conversion = [
        OptionSpec(
            "--encoding", value: "NAME", default: "Unicode, detected",
            help: "Encoding of the input, such as latin1 or windows-1252"),
        OptionSpec(
            "--nan", value: "MODE", as: .cases(of: TextConversion.NonFinite.self),
            default: TextConversion().nonFinite.rawValue, listing: .firstAtEnd, help: "NaN and Infinity"),
        OptionSpec("--recursive", "-r", help: "Read the files in subdirectories of directories as well"),
    ].group(.reading)

    /// The policies for invalid records.
    static let policies = OptionSpec.Kind.words(["stop", "skip", "quarantine"])

    /// The read options that `parsed` states.
    static func options(_ parsed: ParsedOptions) throws(UsageError) -> ReadOptions {
        var options = ReadOptions()
        if let format = try parsed.choice("--format", { RecordFormat(rawValue: $0) }) { options.format = format }
        if let name = parsed.text("--encoding") {
            guard !name.isEmpty, TextEncoding.isKnown(name) else {
                throw UsageError(
                    "Option '--encoding' takes the name of an encoding, as 'iconv --list' prints, not '\(name)'")
            }
            options.conversion.encoding = name
        }
        if let way = try parsed.choice("--nan", TextConversion.NonFinite.init) { options.conversion.nonFinite = way }
        if let size = try parsed.number("--buffer-size") { options.bufferBytes = size }
        options.parsers = try parsed.number("--jobs")
        for limit in recordLimits + sourceLimits {
            if let value = try parsed.number(limit.option.name) { options.limits[keyPath: limit.path] = value }
        }
        options.limits.total = try parsed.number("--max-bytes")
        if let name = parsed.text("--key-as") {
            guard !name.isEmpty, name.utf8.count <= 200 else { throw UsageError("Option '--key-as' takes a name") }
            options.keyName = name
        }
        return options
    }

    /// The filter of the records; nil for all of them.
    static func filter(_ parsed: ParsedOptions) throws(UsageError) -> RecordFilter? {
        guard let text = parsed.text("--where") else { return nil }
        do {
            let filter = RecordFilter(try Filter(format: text))
            if let error = filter.error { throw error }
            return filter
        } catch {
            throw UsageError("Option '--where' takes a filter: \(error)")
        }
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
        let stated = try parsed.choice("--on-error") { ErrorPolicy(rawValue: $0) }
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

    /// The operands, which name files and addresses; `-` is standard input.
    static func operands(_ parsed: ParsedOptions) throws(UsageError) -> [String] {
        let files = parsed.spec.takesDatabase ? parsed.others : parsed.operands
        guard files.count(where: { $0 == "-" }) <= 1 else {
            throw UsageError("Standard input ('-') can be read only once")
        }
        if let address = files.compactMap({ WebAddress($0) }).first(where: \.isShortened) {
            throw UsageError(
                "'\(address.text)' is shortened, as a message shows it; put the whole address in its place")
        }
        for address in files.compactMap({ WebAddress($0) }) where ArchiveMembers.isArchive(address.file ?? "") {
            throw UsageError(
                "'\(address.shown)' is an archive, which is read from a file; download it first: curl -LO ADDRESS")
        }
        return files
    }
}
