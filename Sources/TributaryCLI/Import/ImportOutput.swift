/// The output of an import besides errors.
package struct ImportOutput: Sendable, Equatable {
    /// Whether the summary is one JSON object.
    package let isJSON: Bool
    /// Whether only errors are printed.
    package let isQuiet: Bool
    /// When progress is shown.
    package let progress: ProgressMode

    init(_ parsed: ParsedOptions) throws(UsageError) {
        isJSON = parsed.has("--json")
        isQuiet = parsed.has("--quiet")
        let modes = ProgressMode.allCases.map(\.rawValue)
        let stated = try parsed.choice("--progress", modes) { ProgressMode(rawValue: $0) }
        if isQuiet, stated == .always { throw UsageError("'--quiet' and '--progress always' cannot be used together") }
        progress = isQuiet ? .never : stated ?? .auto
    }
}
