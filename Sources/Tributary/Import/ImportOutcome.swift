/// How an import has ended.
public enum ImportOutcome: Sendable {
    /// It has read everything.
    case finished(ImportSummary)
    /// The journal says that it was done before, and nothing has changed since.
    case alreadyFinished(ImportSummary)
    /// It was stopped; what was committed stays, and it can go on from there.
    case stopped(ImportSummary)

    /// The books.
    public var summary: ImportSummary {
        switch self {
        case .finished(let summary), .alreadyFinished(let summary), .stopped(let summary): summary
        }
    }
}
