/// What an import says besides errors.
package struct ImportOutput: Sendable, Equatable {
    /// The summary is one JSON object.
    package let isJSON: Bool
    /// Nothing is said.
    package let isQuiet: Bool
    /// When the progress is told.
    package let progress: ProgressMode

    init(_ parsed: ParsedOptions) throws(UsageError) {
        isJSON = parsed.has("--json")
        isQuiet = parsed.has("--quiet")
        let modes = ProgressMode.allCases.map(\.rawValue)
        let wished = try parsed.choice("--progress", modes) { ProgressMode(rawValue: $0) }
        if isQuiet, wished == .always { throw UsageError("'--quiet' and '--progress always' contradict each other") }
        progress = isQuiet ? .never : wished ?? .auto
    }
}
