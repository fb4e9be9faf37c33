import Tributary
import TributaryGraph
import TributaryJSON

/// What the line of progress and the statements about sources are made of.
protocol WatchedJob: Sendable {
    /// Records read and rejected so far.
    var counts: (read: Int, rejected: Int) { get }
    /// What it is doing, in words.
    var phase: String { get }
    /// Bytes taken from the sources so far, as they are stored.
    var storedBytes: Int { get }
    /// What each source was found to be.
    var sourceReports: [SourceReport] { get }
}

/// An import that can be run, watched and stopped, whatever its columns come from.
protocol ImportJob: WatchedJob {
    /// The manager of the database.
    var manager: ContextManager { get }
    /// The counts so far.
    var summary: ImportSummary { get }
    /// Runs it on the calling thread.
    func perform() throws -> ImportOutcome
    /// Stops it after the chunk at hand.
    func cancel()
}

extension ImportJob {
    var counts: (read: Int, rejected: Int) { (summary.read, summary.rejected) }
}
