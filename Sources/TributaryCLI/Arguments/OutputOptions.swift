/// The output of a command besides errors.
package struct OutputOptions: Sendable, Equatable {
    static let quiet = OptionSpec("--quiet", "-q", "--silent", group: .output, help: "Print only errors")
    static let progress = OptionSpec(
        "--progress", value: "WHEN", as: .cases(of: ProgressMode.self, ["auto": "on a terminal"]), group: .output,
        help: "Show progress")

    static let verbose = OptionSpec(
        "--verbose", "-v", group: .output,
        help: "Tell what is decided, and why: place, table, key, types, way of loading")

    /// The option of commands that print what they have done, or `noun`.
    static func json(_ noun: String, asLines: Bool = false) -> OptionSpec {
        OptionSpec(
            "--json", group: .output,
            help: asLines ? "Print each \(noun) as one JSON object on a line" : "Print the \(noun) as one JSON object")
    }

    /// The options about an outcome or a summary.
    static func specs(_ noun: String) -> [OptionSpec] { [json(noun), quiet] }

    /// Whether the outcome is one JSON object.
    package let isJSON: Bool
    /// Whether only errors are printed.
    package let isQuiet: Bool
    /// Whether decisions are told.
    let isVerbose: Bool
    /// When progress is shown.
    package let progress: ProgressMode

    init(_ parsed: ParsedOptions) throws(UsageError) {
        isJSON = parsed.has("--json")
        isQuiet = parsed.has("--quiet")
        isVerbose = parsed.has("--verbose")
        try parsed.exclude("--quiet", "--verbose")
        let stated = try parsed.choice("--progress", ProgressMode.init)
        if isQuiet, stated == .always { throw UsageError("'--quiet' and '--progress always' cannot be used together") }
        progress = isQuiet ? .never : stated ?? .auto
    }

    /// Prints the outcome as JSON, or as text unless the command is quiet.
    func print(
        to output: OutputFile = OutputFile(), json: @autoclosure () -> [UInt8], text: @autoclosure () -> String
    ) throws {
        try output.write { bytes in
            if isJSON { bytes += json() } else if !isQuiet { bytes += Array(text().utf8) }
        }
        try output.flush()
    }
}
