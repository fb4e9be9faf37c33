/// The way in which an import ended.
public enum ImportOutcome: Sendable {
    /// It has read everything.
    case finished(ImportSummary)
    /// An earlier run finished it, and its sources are unchanged.
    case alreadyFinished(ImportSummary)
    /// It was stopped; committed records stay, and it can be resumed.
    case stopped(ImportSummary)

    /// The counts.
    public var summary: ImportSummary {
        switch self {
        case .finished(let summary), .alreadyFinished(let summary), .stopped(let summary): summary
        }
    }
}
