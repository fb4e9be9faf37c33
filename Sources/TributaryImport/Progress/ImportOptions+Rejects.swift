extension ImportOptions {
    /// Throws if more records were rejected than `maxErrors` tolerates.
    package func checkRejects(of summary: ImportSummary, isAtEnd: Bool = false) throws {
        let rejected = summary.counts.rejected
        guard let limit = maxErrors, limit.isExceeded(by: rejected, of: summary.read, isAtEnd: isAtEnd) else { return }
        throw ImportError(
            .tooManyErrors, "\(rejected) of \(summary.read) records were rejected, more than \(limit)",
            remedy: .raiseErrorLimit)
    }
}
